import type { RecordOf } from '@emma/client/emma-client.ts'
import { testaddress } from '@emma/contract/resources/testaddress.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { isEmailAddress } from '@emma/ui/form/form-reading.ts'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { addressTypeOptions } from './address-type-options.ts'
import { MemberDataEditor } from '../members/member-data-editor.tsx'

type TestAddress = RecordOf<typeof testaddress>

const fields = ['email', 'addr_type', 'active', 'firstname', 'lastname', 'member_data'] as const

/** Form of a test subscriber. */
export default function TestSubscriberEdit(): ReactNode {
  return <RecordPage resource={testaddress}>{record => <TestSubscriberForm record={record} />}</RecordPage>
}

function TestSubscriberForm({ record }: { record: TestAddress | null }): ReactNode {
  const { t, i18n } = useTranslation()
  const text = (key: string) => t(`audience.testaddress.${key}`)
  const form = useResourceForm(testaddress, record, {
    fields,
    validate: ({ email }) => ({
      email: email !== '' && !isEmailAddress(email) ? t('audience.member.email_fault') : null,
    }),
  })
  const data = form.field('member_data')
  return (
    <RecordForm form={form}>
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
