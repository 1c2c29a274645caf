import type { RecordOf } from '@emma/client/emma-client.ts'
import {
  type mailclass,
  mailclassTypes,
  throttleUnits,
  transports,
} from '@emma/contract/resources/mailclass.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { PasswordField, TextAreaField, TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection } from '@emma/ui/form/record-form.tsx'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

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
  'max_connections',
  'throttle',
  'throttle_unit',
  'listid',
  'track_clicks_opens',
] as const

type Mailclass = RecordOf<typeof mailclass>
export type MailclassValues = Pick<Mailclass, (typeof mailclassFields)[number]>

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
    max_connections: record?.max_connections ?? 10,
    throttle: record?.throttle ?? 0,
    throttle_unit: record?.throttle_unit ?? 'hour',
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
      <FormSection title={text('sections.tracking')} description={text('sections.tracking_text')}>
        <SwitchField form={form} name="track_clicks_opens" />
        <TextField form={form} name="listid" description={text('listid_hint')} maxLength={20} isMonospaced />
      </FormSection>
    </>
  )
}
