import { recurring } from '@emma/contract/resources/recurring.ts'
import { confirm } from '@emma/ui/feedback/confirm.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../shell/i18n/error-text.ts'
import { useRights } from '../../shell/session/use-rights.ts'
import { runNow } from './run-now.ts'

/** Sends a run of a recurring campaign now, after a confirmation. */
export function RunButton({ record }: { record: { recurring_id: number; name: string } }): ReactNode {
  const { t } = useTranslation()
  const { mayChange } = useRights(recurring)
  const [isRunning, setRunning] = useState(false)
  const { recurring_id: id, name } = record
  if (!mayChange) return null
  async function run(): Promise<void> {
    const question = {
      title: t('recurring.run_title', { name }),
      text: t('recurring.run_text'),
      confirmLabel: t('recurring.run_now'),
    }
    if (!(await confirm(question))) return
    setRunning(true)
    try {
      await runNow(id)
      notify.success(t('recurring.run_done', { name }))
    } catch (error) {
      showError(error)
    } finally {
      setRunning(false)
    }
  }
  return (
    <Button
      variant="default"
      leftSection={<IconSend size={16} aria-hidden />}
      loading={isRunning}
      onClick={() => void run()}
    >
      {t('recurring.run_now')}
    </Button>
  )
}
