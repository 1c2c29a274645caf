import { Button } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { brand } from '../layout/brand.ts'
import { StatePage } from './state-page.tsx'

/** Shown for addresses without a route (R010). */
export function NotFoundScreen(): ReactNode {
  const { t } = useTranslation()
  const title = t('state.not_found_title')
  useEffect(() => {
    document.title = `${brand.shortName} · ${title}`
  }, [title])
  return (
    <StatePage
      icon={<IconMapQuestion size={28} />}
      title={title}
      action={
        <Button component={Link} to="/" mt="sm">
          {t('state.not_found_action')}
        </Button>
      }
    >
      {t('state.not_found_text')}
    </StatePage>
  )
}
