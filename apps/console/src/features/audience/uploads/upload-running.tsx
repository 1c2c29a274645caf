import { queryKeys } from '@emma/client/query-keys.ts'
import { dataupload } from '@emma/contract/resources/dataupload.ts'
import { Card } from '@emma/ui/layout/card.tsx'
import { ProgressLive } from '@emma/ui/layout/progress-live.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { showError } from '../../../shell/i18n/error-text.ts'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { stopUpload, type Upload } from './upload-calls.ts'
import { useUploadProgress } from './use-upload-progress.ts'

/** Polling interval in ms, in case the socket is down. */
const pollEvery = 2000

/** Progress and speed of a running import, with a cancel button. */
export function UploadRunning({ upload }: { upload: Upload }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const pushed = useUploadProgress().get(upload.id)
  useQuery({
    queryKey: [...queryKeys.record(dataupload, upload.id), 'poll'],
    queryFn: async () => {
      const now = await api.find(dataupload, upload.id, {}, { ignoreCache: true })
      if (now.status !== upload.status) await refresh(dataupload)
      return now.status
    },
    refetchInterval: pollEvery,
    staleTime: 0,
  })
  const stop = useMutation({ mutationFn: () => stopUpload(upload.id), onError: showError })
  const done = pushed?.done ?? upload.rows_read
  const total = pushed?.total ?? null
  const seconds = pushed && upload.started_at ? (pushed.at - Date.parse(upload.started_at)) / 1000 : 0
  const rate = seconds > 1 && done > 0 ? done / seconds : null
  return (
    <Card title={t('audience.dataupload.running')}>
      <Stack>
        {total === null ? (
          <>
            <Text size="sm">{t('audience.dataupload.rows_so_far', { rows: format.number(done) })}</Text>
            <Progress value={100} animated aria-label={t('audience.dataupload.running')} />
          </>
        ) : (
          <ProgressLive
            label={t('audience.dataupload.running')}
            done={Math.min(done, total)}
            total={total}
            rate={rate}
            remaining={rate ? Math.max(0, total - done) / rate : null}
            isRunning
          />
        )}
        <Text size="sm" c="dimmed">
          {t('audience.dataupload.running_text')}
        </Text>
        <Button
          variant="default"
          w="fit-content"
          loading={stop.isPending}
          disabled={stop.isSuccess}
          onClick={() => stop.mutate()}
        >
          {t(stop.isSuccess ? 'audience.dataupload.cancelling' : 'audience.dataupload.cancel')}
        </Button>
      </Stack>
    </Card>
  )
}
