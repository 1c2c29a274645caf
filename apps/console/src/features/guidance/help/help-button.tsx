import { ActionIcon, Tooltip } from '@mantine/core'
import { IconHelpCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { helpDrawer } from '../../../shell/guidance/help-store.ts'

/** Button that opens the help for the current screen. */
export default function HelpButton(): ReactNode {
  const { t } = useTranslation()
  return (
    <Tooltip label={t('shell.help')}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        data-tour="help"
        aria-label={t('shell.help')}
        onClick={helpDrawer.open}
      >
        <IconHelpCircle size={18} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  )
}
