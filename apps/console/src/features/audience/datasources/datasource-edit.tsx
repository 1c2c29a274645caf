import { notify } from '@emma/ui/feedback/notify.tsx'
import type { RecordOf } from '@emma/client/emma-client.ts'
import { membertable } from '@emma/contract/resources/membertable.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { TextAreaField, TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { useRecordForm } from '@emma/ui/form/use-record-form.ts'
import { Button, Stack } from '@mantine/core'
import { IconUpload, IconUsers } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveRecord } from '../../../shell/resource/record-calls.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useFieldLabels } from '../../../shell/i18n/use-field-labels.ts'
import { useRecordEdit } from '../../../shell/resource/use-record-edit.ts'
import { confirmLoss } from './confirm-loss.tsx'
import { DatasourceCounters } from './datasource-counters.tsx'
import { columnFaults, named } from './schema-faults.ts'
import { SchemaEditor } from './schema-editor.tsx'

type Datasource = RecordOf<typeof membertable>

const path = '/settings/datasources'
const fields = ['name', 'description', 'doi_required', 'emmamembertableschema'] as const

/** Form of a datasource and its columns. */
export default function DatasourceEdit(): ReactNode {
  const { t } = useTranslation()
  return (
    <RecordPage
      resource={membertable}
      back={path}
      title={record => record?.name ?? t('audience.membertable.new')}
      actions={record => <DatasourceLinks id={record.member_table_id} />}
    >
      {(record, id) => (
        <Stack gap="lg">
          {record && <DatasourceCounters datasource={record} />}
          <DatasourceForm record={record} id={id} />
        </Stack>
      )}
    </RecordPage>
  )
}

function DatasourceLinks({ id }: { id: number }): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <Button
        renderRoot={props => <Link to="/subscribers/archive" search={{ table: id }} {...props} />}
        variant="default"
        leftSection={<IconUsers size={16} />}
      >
        {t('audience.membertable.show_members')}
      </Button>
      <Button
        renderRoot={props => (
          <Link
            to="/subscribers/dataupload/edit/$id"
            params={{ id: 'new' }}
            search={{ table: id }}
            {...props}
          />
        )}
        variant="default"
        leftSection={<IconUpload size={16} />}
      >
        {t('audience.membertable.upload')}
      </Button>
    </>
  )
}

function DatasourceForm({ record, id }: { record: Datasource | null; id: number | null }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [faults, setFaults] = useState<ReadonlyMap<number, string>>(new Map())
  const toList = () => void navigate({ to: path })
  const edit = useRecordEdit(membertable, { record, id, nameOf: row => row.name, toList })
  const form = useRecordForm({
    ...edit.options,
    toValues: datasourceValues,
    labels: useFieldLabels(membertable, fields),
    validate: ({ emmamembertableschema: columns }) => {
      const found = columnFaults(columns, t)
      setFaults(found)
      const all = [...found].map(([index, fault]) => `${columnTitle(columns, index, t)}: ${fault}`)
      return { emmamembertableschema: all.length > 0 ? all.join(' ') : null }
    },
    save: async (values, change) => {
      try {
        return await saveRecord(membertable, id, values, change).catch(async (error: unknown) => {
          const removed_columns = await confirmLoss(error, record?.emmamembertableschema ?? [], t)
          const changed = { ...change.changed, removed_columns }
          return saveRecord(membertable, id, values, { ...change, changed })
        })
      } catch (error) {
        const { faults: told, error: renamed } = named(error, index =>
          columnTitle(values.emmamembertableschema, index, t),
        )
        setFaults(told)
        throw renamed
      }
    },
    onSaved: saved => {
      notify.success(t('action.saved', { name: saved.name }))
      setFaults(new Map())
      if (id === null)
        void navigate({ to: '/settings/datasources/edit/$id', params: { id: String(saved.member_table_id) } })
    },
  })
  const columns = form.field('emmamembertableschema')
  return (
    <RecordForm form={form} removal={edit.removal}>
      <FormSection
        title={t('audience.membertable.sections.general')}
        description={t('audience.membertable.sections.general_text')}
      >
        <TextField form={form} name="name" maxLength={255} />
        <TextAreaField form={form} name="description" rows={2} />
        <SwitchField form={form} name="doi_required" description={t('audience.membertable.doi_hint')} />
      </FormSection>
      <SchemaEditor
        id={columns.id}
        columns={form.values.emmamembertableschema}
        onChange={next => {
          setFaults(new Map())
          form.set('emmamembertableschema', next)
        }}
        faults={faults}
        isDisabled={columns.isDisabled}
      />
    </RecordForm>
  )
}

function datasourceValues(record: Datasource | null) {
  return {
    name: record?.name ?? '',
    description: record?.description ?? null,
    doi_required: record?.doi_required ?? false,
    emmamembertableschema: record?.emmamembertableschema ?? [],
  }
}

function columnTitle(columns: Datasource['emmamembertableschema'], index: number, t: TFunction): string {
  const column = columns[index]
  const title = column?.label.trim() || column?.column_name
  return title ? `“${title}”` : t('audience.membertable.column_number', { number: index + 1 })
}
