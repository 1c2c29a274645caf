import { campaign } from '@emma/contract/resources/campaign.ts'
import type { RuleGroup } from '@emma/contract/rules.ts'
import { isSame } from '@emma/ui/form/merge-versions.ts'
import { RuleBuilder } from '@emma/ui/rules/rule-builder.tsx'
import { queryKeys } from '@emma/client/query-keys.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import classes from './segment.module.css'
import { withoutIds } from './segment-query.ts'
import { type SegmentQuestion, useSegmentCount } from './use-segment-count.ts'
import { useRuleFields } from './use-rule-fields.ts'
import type { Datasource } from '../members/use-member-table.ts'

interface SegmentRulesProps {
  /** Id of the element that error links focus. */
  id: string
  query: RuleGroup
  onChange: (query: RuleGroup) => void
  question: SegmentQuestion
  datasource: Datasource | undefined
  isDisabled: boolean
  error: string | undefined
}

/** The rule builder of a segment with a live count of matching members. */
export function SegmentRules(props: SegmentRulesProps): ReactNode {
  const { id, query, onChange, question, datasource, isDisabled, error } = props
  const { t } = useTranslation()
  const fields = useRuleFields(datasource)
  const count = useSegmentCount(question, false)
  const recordName = useCampaignNames(query)
  // The builder adds ids to rules; the form keeps the query without them, so that viewing it does not make the form
  // dirty.
  const [marked, setMarked] = useState(query)
  const shown = isSame(withoutIds(marked), withoutIds(query)) ? marked : query
  return (
    <section id={id} tabIndex={-1} className={classes.rules} aria-label={t('audience.list.fields.query')}>
      <h2 className={classes.title}>{t('audience.list.fields.query')}</h2>
      <p className={classes.text}>{t('audience.list.rules_text')}</p>
      <RuleBuilder
        fields={fields}
        query={shown}
        onChange={next => {
          setMarked(next)
          const plain = withoutIds(next)
          if (!isSame(plain, withoutIds(query))) onChange(plain)
        }}
        isDisabled={isDisabled}
        maxDepth={10}
        showsFaults={error !== undefined}
        recordName={(field, value) =>
          field.name === 'campagne_id' ? recordName.get(Number(value)) : undefined
        }
        count={{
          value: count.isAskable ? (count.data?.total ?? null) : null,
          total: datasource?.stats_total ?? null,
          isLoading: count.isCounting,
          ...(count.error ? { error: count.error } : {}),
        }}
      />
      {count.isWithheld && <p className={classes.quiet}>{t('audience.list.count_withheld')}</p>}
      {error !== undefined && (
        <p role="alert" style={{ color: 'var(--mantine-color-error)', margin: 0 }}>
          {error}
        </p>
      )}
    </section>
  )
}

/** Names of the campaigns that rules reference, for the sentence below the rules. */
function useCampaignNames(query: RuleGroup): ReadonlyMap<number, string> {
  const ids = campaignsOf(query)
  const { data = [] } = useQuery({
    queryKey: [...queryKeys.lists(campaign), 'names', ids],
    queryFn: ({ signal }) => api.listAll(campaign, { filters: { campagne_id: ids } }, { signal }),
    enabled: ids.length > 0,
    staleTime: 60_000,
  })
  return new Map(data.map(row => [row.campagne_id, row.name]))
}

function campaignsOf(group: RuleGroup): number[] {
  const found = group.rules.flatMap((entry): number[] => {
    if ('rules' in entry) return campaignsOf(entry)
    const { value } = entry
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return campaignsOf(value)
    if (entry.field !== 'campagne_id') return []
    return (Array.isArray(value) ? value : [value])
      .map(Number)
      .filter(id => Number.isSafeInteger(id) && id > 0)
  })
  return [...new Set(found)].toSorted((a, b) => a - b)
}
