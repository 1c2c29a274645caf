import { mailclass, mailclassTypes, throttleUnits, transports } from '@emma/contract/resources/mailclass.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { DateField } from '@emma/ui/form/fields/date-time-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { PasswordField, TextAreaField, TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection } from '@emma/ui/form/record-form.tsx'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import { SelectField } from '@emma/ui/select/select-field.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import type { MailclassValues } from './mailclass-values.ts'
import { ReceiverFields, RouteFields } from './route-fields.tsx'

interface MailclassFieldsProps {
  form: RecordForm<MailclassValues>
  isPasswordSet: boolean
}

/** Fields of a mail class; those of the SMTP server only for the transport `smtp`. */
export function MailclassFields({ form, isPasswordSet }: MailclassFieldsProps): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.mailclass.${key}`)
  const choices = <T extends string>(values: readonly T[], group: string) =>
    values.map(value => ({ value, label: text(`${group}.${value}`) }))
  return (
    <>
      <FormSection title={text('sections.general')} description={text('sections.general_text')}>
        <TextField form={form} name="name" description={text('name_rule')} maxLength={64} />
        <ChoiceField form={form} name="type" choices={choices(mailclassTypes, 'types')} />
        <TextAreaField form={form} name="description" />
        <SwitchField form={form} name="active" description={text('active_hint')} />
      </FormSection>
      <FormSection title={text('sections.transport')} description={text('sections.transport_text')}>
        <ChoiceField
          form={form}
          name="transport"
          look="segments"
          choices={choices(transports, 'transports')}
        />
        {form.values.transport === 'smtp' && (
          <>
            <FormRow>
              <TextField form={form} name="smtp_host" placeholder="mta.example.com" />
              <NumberField form={form} name="smtp_port" min={1} max={65_535} />
            </FormRow>
            <ChoiceField
              form={form}
              name="smtp_tls"
              look="segments"
              choices={choices(['none', 'starttls', 'tls'], 'tls')}
            />
            <FormRow>
              <TextField form={form} name="smtp_username" />
              <PasswordField
                form={form}
                name="smtp_password"
                placeholder={isPasswordSet ? text('password_kept') : ''}
              />
            </FormRow>
          </>
        )}
        <RouteFields form={form} />
        <NumberField
          form={form}
          name="max_connections"
          description={text('connections_hint')}
          min={1}
          max={1000}
        />
      </FormSection>
      <FormSection title={text('sections.speed')} description={text('sections.speed_text')}>
        <FormRow>
          <NumberField form={form} name="throttle" min={0} />
          <ChoiceField form={form} name="throttle_unit" choices={choices(throttleUnits, 'units')} />
        </FormRow>
      </FormSection>
      <LimitFields form={form} />
      <ReceiverFields form={form} />
      <WarmupFields form={form} />
      <FormSection title={text('sections.tracking')} description={text('sections.tracking_text')}>
        <SwitchField form={form} name="track_clicks_opens" />
        <TextField form={form} name="listid" description={text('listid_hint')} maxLength={20} isMonospaced />
      </FormSection>
    </>
  )
}

/** Fields of the rate and connection limits of login and IP, shared by all mail classes. */
function LimitFields({ form }: { form: RecordForm<MailclassValues> }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.mailclass.${key}`)
  const units = throttleUnits.map(value => ({ value, label: text(`units.${value}`) }))
  return (
    <FormSection title={text('sections.limits')} description={text('sections.limits_text')}>
      {form.values.transport === 'smtp' && (
        <FormRow>
          <NumberField form={form} name="login_mails" min={0} decimals={0} />
          <ChoiceField form={form} name="login_unit" choices={units} />
          <NumberField form={form} name="login_connections" min={0} decimals={0} />
        </FormRow>
      )}
      <TextField form={form} name="send_ip" maxLength={64} description={text('send_ip_hint')} isMonospaced />
      {form.values.send_ip !== null && form.values.send_ip !== '' && (
        <FormRow>
          <NumberField form={form} name="ip_mails" min={0} decimals={0} />
          <ChoiceField form={form} name="ip_unit" choices={units} />
          <NumberField form={form} name="ip_connections" min={0} decimals={0} />
        </FormRow>
      )}
    </FormSection>
  )
}

/** Fields of the warm-up of login and IP, and of the overflow mail class. */
function WarmupFields({ form }: { form: RecordForm<MailclassValues> }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.mailclass.${key}`)
  const mailclasses = useMemo(
    () =>
      resourceSource(api, mailclass, {
        toOption: row => ({ label: row.name }),
        filters: { onlyactive: [true] },
        sort: { field: 'name', descending: false },
      }),
    [],
  )
  return (
    <FormSection title={text('sections.warmup')} description={text('sections.warmup_text')}>
      <DateField form={form} name="warmup_start" />
      {form.values.warmup_start !== null && (
        <TextField form={form} name="warmup_volumes" description={text('warmup_hint')} />
      )}
      <SelectField
        form={form}
        name="overflow_mailclass_id"
        source={mailclasses}
        isClearable
        description={text('overflow_hint')}
      />
    </FormSection>
  )
}
