import type { RecordOf } from '@emma/client/emma-client.ts'
import { initialValues } from '@emma/contract/resource-schemas.ts'
import { recurring } from '@emma/contract/resources/recurring.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { isSame } from '@emma/ui/form/merge-versions.ts'
import { MoreFields } from '@emma/ui/form/more-fields.tsx'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import type { RecordForm as FormOf } from '@emma/ui/form/use-record-form.ts'
import { useTimeZone } from '@emma/ui/i18n.tsx'
import { browserZone } from '@emma/ui/clock.ts'
import { MultiSelectField, SelectField } from '@emma/ui/select/select-field.tsx'
import { throttleUnits } from '@emma/contract/resources/mailclass.ts'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useResourceForm } from '../../shell/resource/use-resource-form.ts'
import { Can } from '../../shell/session/can.tsx'
import { recurringFields, type RecurringValues } from './recurring-fields.ts'
import { NextRuns } from './schedule/next-runs.tsx'
import { ScheduleFields } from './schedule/schedule-fields.tsx'
import { TriggerFields } from './schedule/trigger-fields.tsx'
import { useSources } from './use-sources.ts'

const blank: Readonly<Record<string, unknown>> = initialValues(recurring)

/** Form of a recurring campaign: content, audience, sender, schedule. */
export function RecurringForm({ record }: { record: RecordOf<typeof recurring> | null }): ReactNode {
  const { t } = useTranslation()
  const zone = useTimeZone() ?? browserZone()
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  const form = useResourceForm(recurring, record, {
    fields: recurringFields,
    afterCreate: 'record',
    initial: {
      schedule: { rrule: 'FREQ=WEEKLY;BYDAY=MO', tz: zone, start: today, end: null, time: '09:00' },
    },
    validate: ({ mailclass_id, esp_id, trigger, date_column }) => ({
      mailclass_id: mailclass_id === null && esp_id === null ? t('recurring.faults.mailclass') : null,
      date_column:
        trigger === 'date_field' && date_column === null ? t('recurring.faults.date_column') : null,
    }),
  })
  return (
    <RecordForm form={form}>
      <ContentSection form={form} />
      <ScheduleSection form={form} />
      <AudienceSection form={form} />
      <SenderSection form={form} />
    </RecordForm>
  )
}

interface SectionProps {
  form: FormOf<RecurringValues>
}

function ContentSection({ form }: SectionProps): ReactNode {
  const { t } = useTranslation()
  const { messages, categoryValues } = useSources()
  return (
    <FormSection title={t('recurring.sections.content')} description={t('recurring.sections.content_text')}>
      <TextField form={form} name="name" maxLength={230} description={t('recurring.hints.name')} />
      <SwitchField form={form} name="active" description={t('recurring.hints.active')} />
      <SelectField form={form} name="message_id" source={messages} />
      <TextField form={form} name="subject" maxLength={998} description={t('recurring.hints.subject')} />
      {categoryValues.length > 0 && (
        <MultiSelectField form={form} name="category_value_ids" options={categoryValues} />
      )}
    </FormSection>
  )
}

function ScheduleSection({ form }: SectionProps): ReactNode {
  const { t } = useTranslation()
  const { schedule, exceptions, trigger } = form.values
  const field = form.field('schedule')
  if (schedule === null) return null
  return (
    <FormSection title={t('recurring.sections.schedule')} description={t('recurring.sections.schedule_text')}>
      <TriggerFields form={form} />
      <ScheduleFields
        id={field.id}
        schedule={schedule}
        exceptions={exceptions}
        isDaily={trigger === 'date_field'}
        error={withoutPart(field.error) ?? form.field('exceptions').error}
        isDisabled={field.isDisabled}
        onChange={next => form.set('schedule', next)}
        onExceptions={next => form.set('exceptions', next)}
      />
      <NextRuns schedule={schedule} exceptions={exceptions} />
      <ChoiceField
        form={form}
        name="missed_policy"
        look="radio"
        choices={(['run', 'skip'] as const).map(value => ({
          value,
          label: t(`recurring.missed_policies.${value}`),
          description: t(`recurring.missed_policies.${value}_text`),
        }))}
      />
    </FormSection>
  )
}

/** An error of the schedule without the name of its part (`rrule: …`), which is no word of the screen. */
function withoutPart(error: string | undefined): string | undefined {
  return error?.replace(/^(?:rrule|tz|start|end|time): /, '')
}

interface OptionsProps extends SectionProps {
  names: readonly (keyof RecurringValues)[]
  children: ReactNode
}

/** Fields that most recurring campaigns leave as they are. */
function Options({ form, names, children }: OptionsProps): ReactNode {
  const { t } = useTranslation()
  const isInUse = names.some(name => !isSame(form.values[name], blank[name]))
  return (
    <MoreFields form={form} names={names} isInUse={isInUse} label={t('recurring.options')}>
      {children}
    </MoreFields>
  )
}

function AudienceSection({ form }: SectionProps): ReactNode {
  const { t } = useTranslation()
  const { segments, blacklists, cappings } = useSources()
  return (
    <FormSection title={t('recurring.sections.audience')} description={t('recurring.sections.audience_text')}>
      <SelectField form={form} name="list_id" source={segments} />
      <FormRow>
        <ChoiceField
          form={form}
          name="repeat_to"
          choices={(['always', 'once_ever', 'once_a_period'] as const).map(value => ({
            value,
            label: t(`recurring.repeat_to.${value}`),
          }))}
        />
        {form.values.repeat_to === 'once_a_period' && (
          <NumberField form={form} name="repeat_days" min={1} max={3650} decimals={0} />
        )}
      </FormRow>
      <SwitchField form={form} name="skip_if_empty" description={t('recurring.hints.skip_if_empty')} />
      <Options form={form} names={['exclude_list_ids', 'blacklist_ids', 'capping_id']}>
        <MultiSelectField form={form} name="exclude_list_ids" source={segments} />
        <MultiSelectField form={form} name="blacklist_ids" source={blacklists} />
        <SelectField form={form} name="capping_id" source={cappings} isClearable />
      </Options>
    </FormSection>
  )
}

function SenderSection({ form }: SectionProps): ReactNode {
  const { t } = useTranslation()
  const { domains, mailclasses, services } = useSources()
  return (
    <FormSection title={t('recurring.sections.sender')} description={t('recurring.sections.sender_text')}>
      <SelectField form={form} name="domain_id" source={domains} />
      <FormRow>
        <TextField form={form} name="fromname" />
        <TextField form={form} name="fromadr" type="email" placeholder="news@example.com" />
      </FormRow>
      <SelectField form={form} name="mailclass_id" source={mailclasses} isClearable />
      <Options form={form} names={['reply_to', 'esp_id', 'throttle', 'throttle_unit']}>
        <TextField form={form} name="reply_to" type="email" placeholder={form.values.fromadr ?? ''} />
        <Can demand={{ all: ['EmmaEspLogin:get'] }}>
          <SelectField
            form={form}
            name="esp_id"
            source={services}
            isClearable
            description={t('recurring.hints.esp_id')}
          />
        </Can>
        <FormRow>
          <NumberField
            form={form}
            name="throttle"
            min={0}
            decimals={0}
            description={t('recurring.hints.throttle')}
          />
          <ChoiceField
            form={form}
            name="throttle_unit"
            choices={throttleUnits.map(value => ({ value, label: t(`recurring.throttle_units.${value}`) }))}
          />
        </FormRow>
      </Options>
    </FormSection>
  )
}
