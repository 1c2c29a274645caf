import type { RecordOf } from '@emma/client/emma-client.ts'
import { provider } from '@emma/contract/resources/provider.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { TagField } from '@emma/ui/form/fields/tag-field.tsx'
import { TextAreaField, TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'

type Provider = RecordOf<typeof provider>

const fields = [
  'name',
  'domains',
  'mx_patterns',
  'max_per_hour',
  'max_connections',
  'fbl',
  'description',
] as const

/** Form of a mailbox provider. */
export default function ProviderEdit(): ReactNode {
  return <RecordPage resource={provider}>{record => <ProviderForm record={record} />}</RecordPage>
}

function ProviderForm({ record }: { record: Provider | null }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.provider.${key}`)
  const form = useResourceForm(provider, record, { fields })
  return (
    <RecordForm form={form}>
      <FormSection title={text('sections.receiver')} description={text('sections.receiver_text')}>
        <TextField form={form} name="name" maxLength={255} />
        <TagField form={form} name="domains" maxTags={1000} />
        <TagField form={form} name="mx_patterns" description={text('hints.mx_patterns')} maxTags={100} />
        <TextAreaField form={form} name="description" />
      </FormSection>
      <FormSection title={text('sections.limits')} description={text('sections.limits_text')}>
        <FormRow>
          <NumberField form={form} name="max_per_hour" min={0} decimals={0} />
          <NumberField form={form} name="max_connections" min={0} decimals={0} />
        </FormRow>
        <SwitchField form={form} name="fbl" description={text('hints.fbl')} />
      </FormSection>
    </RecordForm>
  )
}
