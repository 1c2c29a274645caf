import { campaign } from '@emma/contract/resources/campaign.ts'
import { behaviourFields, type BehaviourField } from '@emma/contract/rules.ts'
import type { RuleField } from '@emma/ui/rules/rule-field.ts'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { columnRuleFields } from '../../../shell/resource/column-rule-fields.ts'
import type { Datasource } from '../members/use-member-table.ts'

/** Fields for a segment's rules: the datasource's columns and members' behavior. */
export function useRuleFields(datasource: Datasource | undefined): readonly RuleField[] {
  const { t } = useTranslation()
  return useMemo(() => {
    if (!datasource) return []
    return [
      ...columnRuleFields(datasource, t),
      ...behaviourFields.map(
        (name): RuleField => ({
          name,
          label: t(`audience.list.behaviour.${name}`),
          type: 'events',
          eventFields: eventFieldsOf(name, t),
        }),
      ),
    ]
  }, [datasource, t])
}

const campaigns = resourceSource(api, campaign, {
  toOption: row => ({ label: row.name }),
  sort: { field: 'created_at', descending: true },
})

/**
 * Fields that narrow events of a type: time and campaign of every event, device and classification of opens and clicks.
 */
function eventFieldsOf(behaviour: BehaviourField, t: TFunction): RuleField[] {
  const label = (name: string) => t(`audience.list.events.${name}`)
  const options = (group: string, values: readonly string[]) =>
    values.map(value => ({ value, label: t(`audience.list.${group}.${value}`) }))
  const always: RuleField[] = [
    { name: 'ts', label: label('ts'), type: 'datetime' },
    { name: 'campagne_id', label: label('campagne_id'), type: 'int', source: campaigns },
  ]
  if (behaviour !== 'opened' && behaviour !== 'clicked') return always
  const ofHits: RuleField[] = [
    {
      name: 'device',
      label: label('device'),
      type: 'enum',
      options: options('devices', ['desktop', 'mobile', 'tablet', 'other']),
    },
    {
      name: 'verdict',
      label: label('verdict'),
      type: 'enum',
      options: options('verdicts', ['human', 'machine', 'apple_mpp', 'scanner', 'prefetch']),
    },
  ]
  if (behaviour === 'opened') return [...always, ...ofHits]
  return [
    ...always,
    { name: 'url', label: label('url'), type: 'string' },
    { name: 'link_index', label: label('link_index'), type: 'int' },
    ...ofHits,
  ]
}
