import type { RecordOf } from '@emma/client/emma-client.ts'
import type { membertable } from '@emma/contract/resources/membertable.ts'
import { Figure, Figures } from '@emma/ui/layout/figure.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

const counters = [
  'stats_active',
  'stats_unsubscribed',
  'stats_hardbounce',
  'stats_softbounce',
  'stats_complaint',
  'stats_pending',
] as const

/** Counters of a datasource: members in total and by reachability. */
export function DatasourceCounters({ datasource }: { datasource: RecordOf<typeof membertable> }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { stats_total: total, stats_at: countedAt, doi_required: isDoi } = datasource
  const label = (field: string) => t(`audience.membertable.fields.${field}`)
  const shown = counters.filter(field => field !== 'stats_pending' || isDoi || datasource[field] > 0)
  return (
    <Figures>
      <Figure
        label={label('stats_total')}
        value={format.number(total)}
        note={countedAt === null ? undefined : `${label('stats_at')} ${format.relative(countedAt)}`}
      />
      {shown.map(field => (
        <Figure
          key={field}
          label={label(field)}
          value={format.number(datasource[field])}
          note={total > 0 ? format.percent(datasource[field] / total) : undefined}
        />
      ))}
    </Figures>
  )
}
