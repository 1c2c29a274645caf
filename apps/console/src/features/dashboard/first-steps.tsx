import { queryKeys } from '@emma/client/query-keys.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { domain } from '@emma/contract/resources/domain.ts'
import { membertable } from '@emma/contract/resources/membertable.ts'
import { message } from '@emma/contract/resources/message.ts'
import { Card } from '@emma/ui/layout/card.tsx'
import { Button } from '@mantine/core'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'
import { useClientId, usePermission } from '../../shell/session/use-session.ts'
import classes from './dashboard.module.css'

/** Records to create for the first campaign, in order. */
const steps = [
  { id: 'domain', resource: domain, to: '/settings/domains/edit/new' },
  { id: 'list', resource: membertable, to: '/settings/datasources/edit/new' },
  { id: 'template', resource: message, to: '/templates/edit/new' },
  { id: 'campaign', resource: campaign, to: '/campaigns/edit/new' },
] as const

/** Checklist of a client without campaigns; renders nothing without the permissions for all steps. */
export function FirstSteps(): ReactNode {
  const { t } = useTranslation()
  const mayDo = usePermission({
    all: ['EmmaDomain:post', 'EmmaMemberTable:post', 'EmmaMessage:post', 'EmmaCampaign:post'],
  })
  const campaigns = useTotal(campaign, mayDo)
  const isEmpty = campaigns === 0
  const domains = useTotal(domain, isEmpty)
  const lists = useTotal(membertable, isEmpty)
  const templates = useTotal(message, isEmpty)
  if (!isEmpty || domains === undefined || lists === undefined || templates === undefined) return null
  const totals = { domain: domains, list: lists, template: templates, campaign: campaigns }
  const next = steps.find(({ id }) => totals[id] === 0)
  return (
    <div className={classes.first}>
      <Card title={t('dashboard.first.title')} isFlush>
        <ol className={classes.steps}>
          {steps.map(({ id, to }) => {
            const isDone = totals[id] > 0
            const Icon = isDone ? IconCircleCheck : IconCircle
            return (
              <li key={id} className={classes.step}>
                <Icon
                  size={20}
                  color={isDone ? 'var(--emma-positive)' : 'var(--emma-line-control)'}
                  role="img"
                  aria-label={t(isDone ? 'dashboard.first.done' : 'dashboard.first.open')}
                />
                <span>
                  <strong>{t(`dashboard.first.${id}`)}</strong>
                  <br />
                  <span className={classes.status}>{t(`dashboard.first.${id}_text`)}</span>
                </span>
                {!isDone && (
                  <Button component={Link} to={to} size="xs" variant={id === next?.id ? 'filled' : 'default'}>
                    {t(`dashboard.first.${id}_action`)}
                  </Button>
                )}
              </li>
            )
          })}
        </ol>
      </Card>
    </div>
  )
}

/** Number of records of a resource; undefined while loading. */
function useTotal(resource: Resource, isAsked: boolean): number | undefined {
  const client = useClientId()
  const query = { limit: 1 }
  const { data } = useQuery({
    queryKey: [...queryKeys.list(resource, query), client],
    queryFn: ({ signal }) => api.list(resource, query, { signal }),
    enabled: isAsked,
  })
  return data?.pagination.total
}
