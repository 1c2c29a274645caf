import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { list } from '@emma/contract/resources/list.ts'
import { FormSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { SelectField } from '@emma/ui/select/select-field.tsx'
import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { type FieldValues, useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { api } from '../../../shell/session/api.ts'
import { NoDatasource } from '../datasources/no-datasource.tsx'
import { withoutPlaces } from './rule-faults.ts'
import { everyone, isComplete, storedQuery } from './segment-query.ts'
import { SegmentReach } from './segment-reach.tsx'
import { SegmentRules } from './segment-rules.tsx'
import { useMemberTable } from '../members/use-member-table.ts'

type Segment = RecordOf<typeof list>

const fields = ['name', 'member_table_id', 'include_unsubscribed', 'query'] as const

/** Form of a segment: its rules, the matching members, and how many of them get email. */
export default function SegmentEdit(): ReactNode {
  const { t } = useTranslation()
  const { datasources, isPending } = useMemberTable()
  if (!isPending && datasources.length === 0) return <NoDatasource />
  return (
    <RecordPage
      resource={list}
      actions={record => (
        <Button
          variant="default"
          leftSection={<IconEye size={16} />}
          renderRoot={props => (
            <Link to="/subscribers/segments/preview/$id" params={{ id: String(record.list_id) }} {...props} />
          )}
        >
          {t('screens.segment_preview')}
        </Button>
      )}
    >
      {record => !isPending && (record ? <SegmentForm record={record} /> : <NewSegment />)}
    </RecordPage>
  )
}

/** A new segment; `?of=7&without=city`: the members of segment 7 that have no city. */
function NewSegment(): ReactNode {
  const { t } = useTranslation()
  const { of, without }: { of?: unknown; without?: unknown } = useSearch({ strict: false })
  const id = typeof of === 'number' && typeof without === 'string' ? of : null
  const { data, isPending, error } = useQuery({
    queryKey: queryKeys.record(list, id ?? 'new'),
    queryFn: ({ signal }) => api.find(list, id ?? 0, {}, { signal }),
    enabled: id !== null,
  })
  if (id === null || error) return <SegmentForm record={null} />
  if (isPending) return <FormSkeleton />
  const { name, member_table_id, include_unsubscribed, query } = data
  const column = String(without)
  const rule = { field: column, operator: 'null' as const }
  const initial = {
    name: t('audience.list.without_name', { segment: name, column }).slice(0, 255),
    member_table_id,
    include_unsubscribed,
    query: { combinator: 'and' as const, rules: query && query.rules.length > 0 ? [query, rule] : [rule] },
  }
  return <SegmentForm record={null} initial={initial} />
}

interface SegmentFormProps {
  record: Segment | null
  initial?: Partial<FieldValues<typeof list, (typeof fields)[number]>>
}

function SegmentForm({ record, initial }: SegmentFormProps): ReactNode {
  const { t } = useTranslation()
  const { datasources, chosen } = useMemberTable()
  const form = useResourceForm(list, record, {
    fields,
    initial: initial ?? { member_table_id: chosen?.member_table_id ?? null },
    toValues: ({ member_table_id, query, ...values }) => ({
      ...values,
      member_table_id: member_table_id ?? 0,
      query: query ?? everyone,
    }),
    toBody: ({ query, ...values }) => ({ ...values, ...(query ? { query: storedQuery(query) } : {}) }),
    validate: ({ query }) => ({ query: isComplete(query) ? null : t('audience.list.incomplete') }),
    saving: send =>
      send().catch((error: unknown) => {
        throw withoutPlaces(error)
      }),
    afterCreate: 'record',
  })
  const { values } = form
  const datasource = datasources.find(one => one.member_table_id === values.member_table_id)
  const rules = form.field('query')
  const isMovable = datasources.length > 1 && values.query.rules.length > 0
  return (
    <RecordForm form={form}>
      <FormSection
        title={t('audience.list.sections.general')}
        description={t('audience.list.sections.general_text')}
      >
        <TextField form={form} name="name" maxLength={255} />
        <SelectField
          form={form}
          name="member_table_id"
          options={datasources.map(one => ({ value: one.member_table_id, label: one.name }))}
          isClearable={false}
          description={isMovable ? t('audience.list.datasource_hint') : undefined}
        />
        <SwitchField
          form={form}
          name="include_unsubscribed"
          description={t('audience.list.unsubscribed_hint')}
        />
      </FormSection>
      <SegmentRules
        id={rules.id}
        query={values.query}
        onChange={query => form.set('query', query)}
        question={values}
        datasource={datasource}
        isDisabled={rules.isDisabled}
        error={rules.error}
      />
      <SegmentReach question={values} />
    </RecordForm>
  )
}
