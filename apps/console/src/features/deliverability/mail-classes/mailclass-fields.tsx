import type { RecordOf } from '@emma/client/emma-client.ts'
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
import { writeVolumes } from '../warm-up/warmup-volumes.ts'
import { ReceiverFields, WayFields } from './way-fields.tsx'

/** What the form edits, in the order of its inputs. */
export const mailclassFields = [
  'name',
  'type',
  'description',
  'active',
  'transport',
  'smtp_host',
  'smtp_port',
  'smtp_tls',
  'smtp_username',
  'smtp_password',
  'login_ids',
  'mta_headers',
  'source_ips',
  'max_connections',
  'throttle',
  'throttle_unit',
  'login_mails',
  'login_unit',
  'login_connections',
  'send_ip',
  'ip_mails',
  'ip_unit',
  'ip_connections',
  'provider_limits',
  'warmup_start',
  'warmup_volumes',
  'overflow_mailclass_id',
  'listid',
  'track_clicks_opens',
] as const

type Mailclass = RecordOf<typeof mailclass>
export type MailclassValues = Omit<Pick<Mailclass, (typeof mailclassFields)[number]>, 'warmup_volumes'> & {
  /** As people write them: 50, 100, 200. */
  warmup_volumes: string
}

/** The values of a mail class, or those a new one begins with. A stored password is never sent to the browser. */
export function mailclassValues(record: Mailclass | null): MailclassValues {
  return {
    name: record?.name ?? '',
    type: record?.type ?? 'bulk',
    description: record?.description ?? null,
    active: record?.active ?? true,
    transport: record?.transport ?? 'testbed',
    smtp_host: record?.smtp_host ?? null,
    smtp_port: record?.smtp_port ?? 25,
    smtp_tls: record?.smtp_tls ?? 'starttls',
    smtp_username: record?.smtp_username ?? null,
    smtp_password: null,
    login_ids: record?.login_ids ?? [],
    mta_headers: record?.mta_headers ?? [],
    source_ips: record?.source_ips ?? [],
    max_connections: record?.max_connections ?? 10,
    throttle: record?.throttle ?? 0,
    throttle_unit: record?.throttle_unit ?? 'hour',
    login_mails: record?.login_mails ?? 0,
    login_unit: record?.login_unit ?? 'hour',
    login_connections: record?.login_connections ?? 0,
    send_ip: record?.send_ip ?? null,
    ip_mails: record?.ip_mails ?? 0,
    ip_unit: record?.ip_unit ?? 'hour',
    ip_connections: record?.ip_connections ?? 0,
    provider_limits: record?.provider_limits ?? [],
    warmup_start: record?.warmup_start ?? null,
    warmup_volumes: writeVolumes(record?.warmup_volumes),
    overflow_mailclass_id: record?.overflow_mailclass_id ?? null,
    listid: record?.listid ?? null,
    track_clicks_opens: record?.track_clicks_opens ?? true,
  }
}

interface MailclassFieldsProps {
  form: RecordForm<MailclassValues>
  isPasswordSet: boolean
}

/** The inputs of a mail class; those of the SMTP server only where mail goes to one. */
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
        <WayFields form={form} />
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

/** What login and IP take over all mail classes. */
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

/** How login and IP are warmed up, and where mail goes that they do not take. */
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
