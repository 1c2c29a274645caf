import type { RecordOf } from '@emma/client/emma-client.ts'
import { provider } from '@emma/contract/resources/provider.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { TagField } from '@emma/ui/form/fields/tag-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { useRecordForm } from '@emma/ui/form/use-record-form.ts'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { saveRecord } from '../../../shell/resource/record-calls.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useFieldLabels } from '../../../shell/i18n/use-field-labels.ts'
import { useRecordEdit } from '../../../shell/resource/use-record-edit.ts'

type Provider = RecordOf<typeof provider>

const path = '/system/providers'
const fields = ['name', 'domains', 'mx_patterns', 'max_per_hour', 'max_connections', 'fbl'] as const

/** One receiver, or a new one. */
export default function ProviderEdit(): ReactNode {
  const { t } = useTranslation()
  return (
    <RecordPage
      resource={provider}
      back={path}
      title={record => record?.name ?? t('deliverability.provider.new')}
    >
      {(record, id) => <ProviderForm record={record} id={id} />}
    </RecordPage>
  )
}

function ProviderForm({ record, id }: { record: Provider | null; id: number | null }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const toList = () => void navigate({ to: path })
  const text = (key: string) => t(`deliverability.provider.${key}`)
  const edit = useRecordEdit(provider, { record, id, nameOf: row => row.name, toList })
  const form = useRecordForm({
    ...edit.options,
    toValues: (stored: Provider | null) => ({
      name: stored?.name ?? '',
      domains: stored?.domains ?? [],
      mx_patterns: stored?.mx_patterns ?? [],
      max_per_hour: stored?.max_per_hour ?? 0,
      max_connections: stored?.max_connections ?? 0,
      fbl: stored?.fbl ?? false,
    }),
    labels: useFieldLabels(provider, fields),
    save: (values, change) => saveRecord(provider, id, values, change),
  })
  return (
    <RecordForm form={form} removal={edit.removal}>
      <FormSection title={text('sections.receiver')} description={text('sections.receiver_text')}>
        <TextField form={form} name="name" maxLength={255} />
        <TagField form={form} name="domains" maxTags={1000} />
        <TagField form={form} name="mx_patterns" description={text('hints.mx_patterns')} maxTags={100} />
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
