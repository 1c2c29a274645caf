import { notify } from '@emma/ui/feedback/notify.tsx'
import type { RecordOf } from '@emma/client/emma-client.ts'
import { list } from '@emma/contract/resources/list.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { useRecordForm } from '@emma/ui/form/use-record-form.ts'
import { SelectField } from '@emma/ui/select/select-field.tsx'
import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { saveRecord } from '../../../shell/resource/record-calls.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useFieldLabels } from '../../../shell/i18n/use-field-labels.ts'
import { useRecordEdit } from '../../../shell/resource/use-record-edit.ts'
import { NoDatasource } from '../datasources/no-datasource.tsx'
import { withoutPlaces } from './rule-faults.ts'
import { everyone, isComplete, storedQuery } from './segment-query.ts'
import { SegmentReach } from './segment-reach.tsx'
import { SegmentRules } from './segment-rules.tsx'
import { useMemberTable } from '../members/use-member-table.ts'

type Segment = RecordOf<typeof list>

const path = '/subscribers/segments'
const fields = ['name', 'member_table_id', 'include_unsubscribed', 'query'] as const

/** Form of a segment: its rules, the matching members, and how many of them get email. */
export default function SegmentEdit(): ReactNode {
  const { t } = useTranslation()
  const { datasources, isPending } = useMemberTable()
  if (!isPending && datasources.length === 0) return <NoDatasource />
  return (
    <RecordPage
      resource={list}
      back={path}
      title={record => record?.name ?? t('audience.list.new')}
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
      {(record, id) => !isPending && <SegmentForm record={record} id={id} />}
    </RecordPage>
  )
}

function SegmentForm({ record, id }: { record: Segment | null; id: number | null }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { datasources, chosen } = useMemberTable()
  const toList = () => void navigate({ to: path })
  const edit = useRecordEdit(list, { record, id, nameOf: row => row.name, toList })
  const form = useRecordForm({
    ...edit.options,
    toValues: (stored: Segment | null) => ({
      name: stored?.name ?? '',
      member_table_id: stored?.member_table_id ?? chosen?.member_table_id ?? 0,
      include_unsubscribed: stored?.include_unsubscribed ?? false,
      query: stored?.query ?? everyone,
    }),
    labels: useFieldLabels(list, fields),
    validate: ({ query }) => ({ query: isComplete(query) ? null : t('audience.list.incomplete') }),
    save: async (values, { changed, revision }) => {
      const change = changed.query ? { ...changed, query: storedQuery(changed.query) } : changed
      try {
        return await saveRecord(
          list,
          id,
          { ...values, query: storedQuery(values.query) },
          { changed: change, revision },
        )
      } catch (error) {
        throw withoutPlaces(error)
      }
    },
    onSaved: saved => {
      notify.success(t('action.saved', { name: saved.name }))
      if (id === null)
        void navigate({ to: '/subscribers/segments/edit/$id', params: { id: String(saved.list_id) } })
    },
  })
  const { values } = form
  const datasource = datasources.find(one => one.member_table_id === values.member_table_id)
  const rules = form.field('query')
  return (
    <RecordForm form={form} removal={edit.removal}>
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
          description={values.query.rules.length > 0 ? t('audience.list.datasource_hint') : undefined}
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
