import { IconTools } from '@tabler/icons-react'
import { useMatches } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { frameRoute } from '../layout/root-route.tsx'
import { StatePage } from './state-page.tsx'

/** Placeholder for routes without a screen. */
export default function NotBuiltScreen(): ReactNode {
  const { t } = useTranslation()
  const matches = useMatches()
  const screen = matches.at(-1)?.staticData.screen
  // Outside the shell there is no other `main` landmark.
  const Part = matches.some(({ routeId }) => routeId === frameRoute.id) ? Fragment : 'main'
  return (
    <Part>
      <StatePage icon={<IconTools size={28} />} title={t('state.not_built_title')}>
        {t('state.not_built_text', { title: screen ? t(screen.title) : '' })}
      </StatePage>
    </Part>
  )
}
