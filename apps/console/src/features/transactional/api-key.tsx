import type { RecordOf } from '@emma/client/emma-client.ts'
import { rotateTransactionalKey } from '@emma/contract/actions/transactional.ts'
import { transactionalcampaign } from '@emma/contract/resources/transactionalcampaign.ts'
import { confirm } from '@emma/ui/feedback/confirm.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../shell/i18n/error-text.ts'
import { SecretDialog } from '../../shell/layout/secret-dialog.tsx'
import { refresh } from '../../shell/resource/record-calls.ts'
import { api } from '../../shell/session/api.ts'
import { useRights } from '../../shell/session/use-rights.ts'

/** The API key: whether there is one, and a new one. */
export function ApiKey({ record }: { record: RecordOf<typeof transactionalcampaign> }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { mayChange } = useRights(transactionalcampaign)
  const [key, setKey] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const { key_hint: hint, key_created_at: createdAt } = record

  async function rotate(): Promise<void> {
    const isWanted =
      hint === null ||
      (await confirm({
        title: t('transactional.key.rotate_title'),
        text: t('transactional.key.rotate_text'),
        confirmLabel: t('transactional.key.rotate'),
      }))
    if (!isWanted) return
    setIsBusy(true)
    try {
      setKey((await api.call(rotateTransactionalKey, { params: { id: record.id } })).key)
    } catch (error) {
      showError(error)
    }
    setIsBusy(false)
  }

  return (
    <>
      <SecretDialog
        secret={key}
        title={t('transactional.key.title')}
        text={t('transactional.key.made')}
        copyLabel={t('transactional.key.copy')}
        onClose={() => {
          setKey(null)
          void refresh(transactionalcampaign)
        }}
      />
      <Card
        title={t('transactional.key.title')}
        actions={
          mayChange && (
            <Button
              variant={hint === null ? 'filled' : 'default'}
              size="xs"
              loading={isBusy}
              leftSection={<IconKey size={14} aria-hidden />}
              onClick={() => void rotate()}
            >
              {t(hint === null ? 'transactional.key.create' : 'transactional.key.rotate')}
            </Button>
          )
        }
      >
        <Text size="sm">
          {hint === null
            ? t('transactional.key.none')
            : t('transactional.key.exists', { hint, time: format.dateTime(createdAt ?? '') })}
        </Text>
      </Card>
    </>
  )
}
