import { ActionIcon, Indicator, Tooltip } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { guidanceQuery } from '../../../shell/guidance/guidance-query.ts'

/** Link to the changelog; shown while it has unread versions (R305). */
export default function NewsButton(): ReactNode {
  const { t } = useTranslation()
  const { data } = useQuery(guidanceQuery)
  const news = data?.news ?? 0
  if (news === 0) return null
  return (
    <Tooltip label={t('screens.changelog')}>
      <ActionIcon
        component={Link}
        to="/changelog"
        variant="subtle"
        color="gray"
        size="lg"
        visibleFrom="sm"
        aria-label={t('help.news', { count: news })}
      >
        <Indicator size={8} color="brand">
          <IconSparkles size={18} stroke={1.6} />
        </Indicator>
      </ActionIcon>
    </Tooltip>
  )
}
