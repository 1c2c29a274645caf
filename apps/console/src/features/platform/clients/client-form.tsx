import type { RecordOf } from '@emma/client/emma-client.ts'
import { brandFieldNames } from '@emma/contract/client-brand.ts'
import { client, languages } from '@emma/contract/resources/client.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { TextAreaField, TextField } from '@emma/ui/form/fields/text-field.tsx'
import { isEmailAddress } from '@emma/ui/form/form-reading.ts'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { SelectField } from '@emma/ui/select/select-field.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { isAdministrator, isSuperadmin, useSession } from '../../../shell/session/use-session.ts'
import { BillingFields, priceFault } from './billing-fields.tsx'
import { BrandFields } from './brand-fields.tsx'

type Client = RecordOf<typeof client>

const fields = [
  'name',
  'brand',
  'is_active',
  'contact_email',
  'language',
  'timezone',
  'quiet_from',
  'quiet_to',
  'campaign_approval',
  'address',
  'imprint',
  'send_volume_limit',
  'price_tiers',
  'currency',
  ...brandFieldNames,
] as const

// `supportedValuesOf` does not include UTC.
const timezones = ['UTC', ...Intl.supportedValuesOf('timeZone')].map(zone => ({
  value: zone,
  label: zone.replaceAll('_', ' '),
}))

interface ClientFormProps {
  record: Client | null
  /** Called after saving. */
  onSaved?: () => void
}

/** Form of a client: name, contact, language, time zone, and the details in its messages. */
export function ClientForm({ record, onSaved }: ClientFormProps): ReactNode {
  const { t } = useTranslation()
  const session = useSession()
  const isAbove = isSuperadmin(session)
  const text = (key: string) => t(`platform.client.${key}`)
  const form = useResourceForm(client, record, {
    fields,
    initial: { language: 'en', timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    toValues: ({ quiet_from, quiet_to, brand_socials, campaign_approval, ...values }) => ({
      ...values,
      // Users see open fields of a client without the permission to read it.
      brand_socials: brand_socials ?? [],
      campaign_approval: campaign_approval ?? false,
      quiet_from: quiet_from?.slice(0, 5) ?? null,
      quiet_to: quiet_to?.slice(0, 5) ?? null,
    }),
    validate: ({ contact_email: email, quiet_from, quiet_to, price_tiers }) => ({
      contact_email: email && !isEmailAddress(email) ? t('platform.user.email_fault') : null,
      quiet_from: isSpan(quiet_from, quiet_to) ? null : text('quiet_fault'),
      price_tiers: priceFault(price_tiers),
    }),
    isRemovable: () => false,
    ...(onSaved ? { onSaved } : {}),
  })
  return (
    <RecordForm form={form}>
      <FormSection title={text('sections.general')} description={text('sections.general_text')}>
        <TextField form={form} name="name" maxLength={255} />
        <TextField form={form} name="contact_email" type="email" maxLength={254} />
        {isAbove && (
          <>
            <ChoiceField
              form={form}
              name="brand"
              look="segments"
              description={text('brand_hint')}
              choices={(['emma', 'ems'] as const).map(value => ({ value, label: value.toUpperCase() }))}
            />
            <SwitchField form={form} name="is_active" description={text('active_hint')} />
          </>
        )}
      </FormSection>
      <FormSection title={text('sections.place')} description={text('sections.place_text')}>
        <FormRow>
          <ChoiceField
            form={form}
            name="language"
            choices={languages.map(value => ({ value, label: text(`languages.${value}`) }))}
          />
          <SelectField form={form} name="timezone" options={timezones} isClearable={false} />
        </FormRow>
      </FormSection>
      <FormSection title={text('sections.quiet')} description={text('sections.quiet_text')}>
        <FormRow>
          <TextField form={form} name="quiet_from" placeholder="22:00" maxLength={5} />
          <TextField form={form} name="quiet_to" placeholder="07:00" maxLength={5} />
        </FormRow>
      </FormSection>
      {isAdministrator(session) && (
        <FormSection title={text('sections.approval')} description={text('sections.approval_text')}>
          <SwitchField form={form} name="campaign_approval" />
        </FormSection>
      )}
      {isAbove && <BillingFields form={form} />}
      <FormSection title={text('sections.mail')} description={text('sections.mail_text')}>
        <TextAreaField form={form} name="address" rows={3} />
        <TextAreaField form={form} name="imprint" rows={4} />
      </FormSection>
      <BrandFields form={form} />
    </RecordForm>
  )
}

/** True for two times of day, or none. */
function isSpan(...times: readonly (string | null)[]): boolean {
  return times.every(time => !time) || times.every(time => /^([01]\d|2[0-3]):[0-5]\d$/.test(time ?? ''))
}
