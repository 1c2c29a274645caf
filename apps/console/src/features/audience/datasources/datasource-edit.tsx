import type { RecordOf } from '@emma/client/emma-client.ts'
import { membertable } from '@emma/contract/resources/membertable.ts'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { TextAreaField, TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { Button, Stack } from '@mantine/core'
import { IconUpload, IconUsers } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { confirmLoss } from './confirm-loss.tsx'
import { DatasourceCounters } from './datasource-counters.tsx'
import { columnFaults, named } from './schema-faults.ts'
import { SchemaEditor } from './schema-editor.tsx'

type Datasource = RecordOf<typeof membertable>

const fields = [
  'name',
  'description',
  'doi_required',
  'doi_request_new',
  'doi_reminder_days',
  'emmamembertableschema',
] as const

/** Form of a datasource and its columns. */
export default function DatasourceEdit(): ReactNode {
  return (
    <RecordPage resource={membertable} actions={record => <DatasourceLinks id={record.member_table_id} />}>
      {record => (
        <Stack gap="lg">
          {record && <DatasourceCounters datasource={record} />}
          <DatasourceForm record={record} />
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

function DatasourceForm({ record }: { record: Datasource | null }): ReactNode {
  const { t } = useTranslation()
  const [faults, setFaults] = useState<ReadonlyMap<number, string>>(new Map())
  const form = useResourceForm(membertable, record, {
    fields,
    validate: ({ emmamembertableschema: columns }) => {
      const found = columnFaults(columns, t)
      setFaults(found)
      const all = [...found].map(([index, fault]) => `${columnTitle(columns, index, t)}: ${fault}`)
      return { emmamembertableschema: all.length > 0 ? all.join(' ') : null }
    },
    saving: async (send, { emmamembertableschema: columns }) => {
      try {
        return await send().catch(async (error: unknown) =>
          send({ removed_columns: await confirmLoss(error, record?.emmamembertableschema ?? [], t) }),
        )
      } catch (error) {
        const { faults: told, error: renamed } = named(error, index => columnTitle(columns, index, t))
        setFaults(told)
        throw renamed
      }
    },
    afterCreate: 'record',
    onSaved: () => setFaults(new Map()),
  })
  const columns = form.field('emmamembertableschema')
  return (
    <RecordForm form={form}>
      <FormSection
        title={t('audience.membertable.sections.general')}
        description={t('audience.membertable.sections.general_text')}
      >
        <TextField form={form} name="name" maxLength={255} />
        <TextAreaField form={form} name="description" rows={2} />
        <SwitchField form={form} name="doi_required" description={t('audience.membertable.doi_hint')} />
        {form.values.doi_required && (
          <>
            <SwitchField
              form={form}
              name="doi_request_new"
              description={t('audience.membertable.doi_request_new_hint')}
            />
            <NumberField
              form={form}
              name="doi_reminder_days"
              min={0}
              max={13}
              description={t('audience.membertable.doi_reminder_hint')}
            />
          </>
        )}
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

function columnTitle(columns: Datasource['emmamembertableschema'], index: number, t: TFunction): string {
  const column = columns[index]
  const title = column?.label.trim() || column?.column_name
  return title ? `“${title}”` : t('audience.membertable.column_number', { number: index + 1 })
}
