import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { CopyButton } from '@emma/ui/layout/copy-button.tsx'
import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './secret-dialog.module.css'

interface SecretDialogProps {
  /** The dialog is open while this is not null. */
  secret: string | null
  title: string
  text: string
  copyLabel: string
  onClose: () => void
}

/** Dialog that shows a secret once. */
export function SecretDialog({ secret, title, text, copyLabel, onClose }: SecretDialogProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Dialog title={title} isOpen={secret !== null} onClose={onClose} size="lg" isStatic>
      <Stack gap="md">
        <Text size="sm">{text}</Text>
        <div className={classes.secret}>
          <code data-testid="secret">{secret}</code>
          <CopyButton value={secret ?? ''} label={copyLabel} />
        </div>
        <Text size="sm" c="dimmed">
          {t('secret.once')}
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('secret.kept')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
