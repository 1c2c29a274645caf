import { queryKeys } from '@emma/client/query-keys.ts'
import type { UploadUndo as UndoFigures } from '@emma/contract/actions/audience.ts'
import { dataupload } from '@emma/contract/resources/dataupload.ts'
import { confirm } from '@emma/ui/feedback/confirm.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { ProgressLive } from '@emma/ui/layout/progress-live.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Alert, Button, List } from '@mantine/core'
import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { showError } from '../../../shell/i18n/error-text.ts'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import { countUndo, startUndo, type Upload } from './upload-calls.ts'
import { useUploadProgress } from './use-upload-progress.ts'

/** Polling interval in ms, in case the socket is down. */
const pollEvery = 2000

const figureNames = ['removed', 'restored', 'kept'] as const

/** Progress or result of an import's undo. */
export function UndoState({ upload }: { upload: Upload }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`audience.dataupload.undo.${key}`)
  if (upload.undo === null) return null
  if (upload.undo.state === 'running') return <UndoRunning upload={upload} />
  if (upload.undo.state === 'failed')
    return <Alert color="red" icon={<IconAlertTriangle size={18} />} title={text('failed')} />
  return (
    <Alert color="blue" icon={<IconArrowBackUp size={18} />} title={text('finished')}>
      <Figures figures={upload.undo} tense="done" />
    </Alert>
  )
}

/** Button that shows what an undo would change and starts it. */
export function UndoButton({ upload }: { upload: Upload }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const mayUndo = usePermission({ all: ['DataUpload:patch', 'EmmaMember:delete'] })
  const undo = useMutation({
    mutationFn: async () => {
      const figures = await countUndo(upload.id)
      const isSure = await confirm({
        title: t('audience.dataupload.undo.title', { name: upload.filename }),
        text: <Figures figures={figures} tense="planned" />,
        confirmLabel: t('audience.dataupload.undo.action'),
        danger: true,
      })
      if (isSure) await startUndo(upload.id)
    },
    onError: showError,
  })
  if (!mayUndo || upload.undo_until === null) return null
  return (
    <Button
      variant="default"
      leftSection={<IconArrowBackUp size={16} />}
      title={t('audience.dataupload.undo.until', { date: format.date(upload.undo_until) })}
      loading={undo.isPending}
      onClick={() => undo.mutate()}
    >
      {t('audience.dataupload.undo.action')}
    </Button>
  )
}

function UndoRunning({ upload }: { upload: Upload }): ReactNode {
  const { t } = useTranslation()
  const pushed = useUploadProgress('undo-upload').get(upload.id)
  useQuery({
    queryKey: [...queryKeys.record(dataupload, upload.id), 'poll'],
    queryFn: async () => {
      const now = await api.find(dataupload, upload.id, {}, { ignoreCache: true })
      if (now.undo?.state !== 'running') await refresh(dataupload)
      return now.undo?.state ?? null
    },
    refetchInterval: pollEvery,
    staleTime: 0,
  })
  const total = pushed?.total ?? upload.rows_inserted + upload.rows_updated
  return (
    <Card title={t('audience.dataupload.undo.running')}>
      <ProgressLive
        label={t('audience.dataupload.undo.running')}
        done={Math.min(pushed?.done ?? 0, total)}
        total={total}
        rate={null}
        remaining={null}
        isRunning
      />
    </Card>
  )
}

function Figures({ figures, tense }: { figures: UndoFigures; tense: 'planned' | 'done' }): ReactNode {
  const { t } = useTranslation()
  return (
    <List>
      {figureNames.map(name => (
        <List.Item key={name}>
          {t(`audience.dataupload.undo.${tense}.${name}`, { count: figures[name] })}
        </List.Item>
      ))}
    </List>
  )
}
