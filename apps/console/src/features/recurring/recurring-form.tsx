import type { RecordOf } from '@emma/client/emma-client.ts'
import { recurring } from '@emma/contract/resources/recurring.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import type { RecordForm as FormOf } from '@emma/ui/form/use-record-form.ts'
import { useTimeZone } from '@emma/ui/i18n.tsx'
import { browserZone } from '@emma/ui/clock.ts'
import { Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useResourceForm } from '../../shell/resource/use-resource-form.ts'
import { AudienceFields } from '../../shell/sending/audience-fields.tsx'
import { DeliveryFields } from '../../shell/sending/delivery-fields.tsx'
import { deliveryFields } from '../../shell/sending/sending-values.ts'
import { isQuietSpan, withQuietMinutes } from '../../shell/sending/quiet-hours.ts'
import { LearnedTimeFields } from '../../shell/sending/learned-time-fields.tsx'
import { SenderFields } from '../../shell/sending/sender-fields.tsx'
import { SendingOptions } from '../../shell/sending/sending-options.tsx'
import { SplitSection } from '../../shell/sending/split/split-section.tsx'
import { TemplateFields } from '../../shell/sending/template-fields.tsx'
import { recurringFields, type RecurringValues } from './recurring-fields.ts'
import { NextRuns } from './schedule/next-runs.tsx'
import { ScheduleFields } from './schedule/schedule-fields.tsx'
import { TriggerFields } from './schedule/trigger-fields.tsx'

/** Form of a recurring campaign: content, schedule, audience, sender, A/B test of each run. */
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
    toValues: withQuietMinutes,
    validate: ({ mailclass_id, esp_id, trigger, date_column, ...values }) => ({
      mailclass_id: mailclass_id === null && esp_id === null ? t('recurring.faults.mailclass') : null,
      date_column:
        trigger === 'date_field' && date_column === null ? t('recurring.faults.date_column') : null,
      quiet_from: isQuietSpan(values) ? null : t('campaigns.hints.clock'),
    }),
  })
  return (
    <RecordForm form={form}>
      <ContentSection form={form} />
      <ScheduleSection form={form} />
      <AudienceSection form={form} />
      <SenderSection form={form} />
      <SplitSection form={form} description={t('recurring.hints.split')} />
    </RecordForm>
  )
}

interface SectionProps {
  form: FormOf<RecurringValues>
}

function ContentSection({ form }: SectionProps): ReactNode {
  const { t } = useTranslation()
  return (
    <FormSection title={t('recurring.sections.content')} description={t('recurring.sections.content_text')}>
      <TextField form={form} name="name" maxLength={230} description={t('recurring.hints.name')} />
      <SwitchField form={form} name="active" description={t('recurring.hints.active')} />
      <TemplateFields form={form} />
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
      <LearnedTimeFields form={form} />
      <SendingOptions form={form} names={deliveryFields}>
        <DeliveryFields form={form} listId={form.values.list_id} />
      </SendingOptions>
    </FormSection>
  )
}

/** An error of the schedule without the name of its part (`rrule: …`), which is no word of the screen. */
function withoutPart(error: string | undefined): string | undefined {
  return error?.replace(/^(?:rrule|tz|start|end|time): /, '')
}

function AudienceSection({ form }: SectionProps): ReactNode {
  const { t } = useTranslation()
  const { trigger, repeat_to } = form.values
  return (
    <FormSection title={t('recurring.sections.audience')} description={t('recurring.sections.audience_text')}>
      <AudienceFields form={form}>
        <FormRow>
          <ChoiceField
            form={form}
            name="repeat_to"
            choices={(['always', 'once_ever', 'once_a_period'] as const).map(value => ({
              value,
              label: t(`recurring.repeat_to.${value}`),
            }))}
          />
          {repeat_to === 'once_a_period' && (
            <NumberField form={form} name="repeat_days" min={1} max={3650} decimals={0} />
          )}
        </FormRow>
        <SwitchField form={form} name="skip_if_empty" description={t('recurring.hints.skip_if_empty')} />
      </AudienceFields>
      {(trigger === 'date_field' || repeat_to !== 'always') && (
        <Text size="sm" c="dimmed">
          {t('recurring.hints.part_of_segment')}
        </Text>
      )}
    </FormSection>
  )
}

function SenderSection({ form }: SectionProps): ReactNode {
  const { t } = useTranslation()
  return (
    <FormSection title={t('recurring.sections.sender')} description={t('recurring.sections.sender_text')}>
      <SenderFields form={form} />
    </FormSection>
  )
}
