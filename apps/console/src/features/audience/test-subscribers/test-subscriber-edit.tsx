import type { RecordOf } from '@emma/client/emma-client.ts'
import { testaddress } from '@emma/contract/resources/testaddress.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { isEmailAddress } from '@emma/ui/form/form-reading.ts'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { useRecordForm } from '@emma/ui/form/use-record-form.ts'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { saveRecord } from '../../../shell/resource/record-calls.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useFieldLabels } from '../../../shell/i18n/use-field-labels.ts'
import { useRecordEdit } from '../../../shell/resource/use-record-edit.ts'
import { addressTypeOptions } from './address-type-options.ts'
import { MemberDataEditor } from '../members/member-data-editor.tsx'

type TestAddress = RecordOf<typeof testaddress>

const path = '/subscribers/testsubscribers'
const fields = ['email', 'addr_type', 'active', 'firstname', 'lastname', 'member_data'] as const

/** One test subscriber, or a new one. */
export default function TestSubscriberEdit(): ReactNode {
  const { t } = useTranslation()
  return (
    <RecordPage
      resource={testaddress}
      back={path}
      title={record => record?.email ?? t('audience.testaddress.new')}
    >
      {(record, id) => <TestSubscriberForm record={record} id={id} />}
    </RecordPage>
  )
}

function TestSubscriberForm({ record, id }: { record: TestAddress | null; id: number | null }): ReactNode {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const text = (key: string) => t(`audience.testaddress.${key}`)
  const toList = () => void navigate({ to: path })
  const edit = useRecordEdit(testaddress, { record, id, nameOf: row => row.email, toList })
  const form = useRecordForm({
    ...edit.options,
    toValues: (stored: TestAddress | null) => ({
      email: stored?.email ?? '',
      addr_type: stored?.addr_type ?? 'testaddr',
      active: stored?.active ?? true,
      firstname: stored?.firstname ?? null,
      lastname: stored?.lastname ?? null,
      member_data: stored?.member_data ?? {},
    }),
    labels: useFieldLabels(testaddress, fields),
    validate: ({ email }) => ({
      email: email !== '' && !isEmailAddress(email) ? t('audience.member.email_fault') : null,
    }),
    save: (values, change) => saveRecord(testaddress, id, values, change),
  })
  const data = form.field('member_data')
  return (
    <RecordForm form={form} removal={edit.removal}>
      <FormSection title={text('sections.address')} description={text('sections.address_text')}>
        <TextField form={form} name="email" type="email" maxLength={254} />
        <ChoiceField
          form={form}
          name="addr_type"
          look="radio"
          choices={addressTypeOptions(value => text(`types.${value}`), i18n.resolvedLanguage).map(option => ({
            ...option,
            description: text(`type_texts.${option.value}`),
          }))}
        />
        <SwitchField form={form} name="active" />
      </FormSection>
      <FormSection title={text('sections.data')} description={text('sections.data_text')}>
        <FormRow>
          <TextField form={form} name="firstname" />
          <TextField form={form} name="lastname" />
        </FormRow>
        <MemberDataEditor
          id={data.id}
          label={data.label}
          value={form.values.member_data}
          onChange={next => form.set('member_data', next)}
          error={data.error}
        />
      </FormSection>
    </RecordForm>
  )
}
