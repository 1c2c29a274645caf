import { IconTools } from '@tabler/icons-react'
import { useMatches } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { StatePage } from './state-page.tsx'

/** Stands in for a screen that has its route but is still to come. */
export default function NotBuiltScreen(): ReactNode {
  const { t } = useTranslation()
  const screen = useMatches().at(-1)?.staticData.screen
  return (
    <StatePage icon={<IconTools size={28} />} title={t('state.not_built_title')}>
      {t('state.not_built_text', { title: screen ? t(screen.title) : '' })}
    </StatePage>
  )
}
