import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { CopyButton } from '@emma/ui/layout/copy-button.tsx'
import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './webhooks.module.css'

interface SecretDialogProps {
  /** The dialog is open while this is not null. */
  secret: string | null
  text: string
  onClose: () => void
}

/** Dialog that shows the signing secret once. */
export function SecretDialog({ secret, text, onClose }: SecretDialogProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Dialog title={t('webhooks.secret.title')} isOpen={secret !== null} onClose={onClose} size="lg" isStatic>
      <Stack gap="md">
        <Text size="sm">{text}</Text>
        <div className={classes.secret}>
          <code data-testid="webhook-secret">{secret}</code>
          <CopyButton value={secret ?? ''} label={t('webhooks.secret.copy')} />
        </div>
        <Text size="sm" c="dimmed">
          {t('webhooks.secret.once')}
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('webhooks.secret.kept')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
