import {
  alert,
  type AlertMetric,
  alertMetrics,
  alertOperators,
  LEAST_MAILS,
  requiredOfAlert,
  windowMetrics,
} from '@emma/contract/resources/alert.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { isEmailAddress } from '@emma/ui/form/form-reading.ts'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import type { AlertRecord } from './alert-state.tsx'
import { useUnitOf } from './use-condition-text.ts'

const fields = [
  'name',
  'metric',
  'operator',
  'threshold',
  'window',
  'notify_email',
  'notify_sms',
  'active',
] as const

/** Usual thresholds, which a new alert begins with. Mailbox providers count complaints from 0.1 % on. */
const usual: Record<AlertMetric, number> = {
  bounce_rate: 5,
  complaint_rate: 0.1,
  queue_stall: 30,
  domain_blocklisted: 1,
  ip_blocked: 1,
  ipci_inbox: 80,
  import_failed: 1,
  quota: 80,
  campaign_finished: 1,
}

/** Minutes to choose from: an hour, six hours, a day, three days, a week. */
const windows = [60, 360, 1_440, 4_320, 10_080]

/** Form of an alert. */
export function AlertForm({ record }: { record: AlertRecord | null }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string, values = {}) => t(`deliverability.alert.${key}`, values)
  const form = useResourceForm(alert, record, {
    fields,
    required: requiredOfAlert,
    validate: ({ notify_email, notify_sms }) => ({
      notify_email: notify_email && !isEmailAddress(notify_email) ? text('email_fault') : null,
      notify_sms: notify_sms && !/^\+[1-9]\d{6,14}$/.test(notify_sms.trim()) ? text('sms_fault') : null,
    }),
  })
  const unitOf = useUnitOf()
  const { metric, window } = form.values
  const chosen = useRef(metric)
  useEffect(() => {
    if (chosen.current === metric) return
    chosen.current = metric
    if (!metric || !form.isNew) return
    form.field('threshold').set(usual[metric])
    form.field('operator').set(metric === 'ipci_inbox' ? 'lt' : 'gte')
  }, [metric, form])
  const offered = window === null || windows.includes(window) ? windows : [...windows, window]
  return (
    <RecordForm form={form}>
      <FormSection title={text('sections.condition')} description={text('sections.condition_text')}>
        <TextField form={form} name="name" maxLength={255} />
        <ChoiceField
          form={form}
          name="metric"
          emptyLabel={text('choose')}
          description={metric ? text(`hints.${metric}`, { least: LEAST_MAILS }) : undefined}
          choices={alertMetrics.map(value => ({ value, label: text(`metrics.${value}`) }))}
        />
        <FormRow>
          <ChoiceField
            form={form}
            name="operator"
            choices={alertOperators.map(value => ({ value, label: text(`operators.${value}`) }))}
          />
          <NumberField
            form={form}
            name="threshold"
            min={0}
            max={1_000_000}
            suffix={metric ? unitOf(metric) : undefined}
          />
        </FormRow>
        {metric && windowMetrics.includes(metric) && (
          <ChoiceField
            form={form}
            name="window"
            choices={offered.map(value => ({ value, label: windowText(value) }))}
          />
        )}
        <SwitchField form={form} name="active" />
      </FormSection>
      <FormSection title={text('sections.recipients')} description={text('sections.recipients_text')}>
        <TextField form={form} name="notify_email" type="email" placeholder="team@example.com" />
        <TextField
          form={form}
          name="notify_sms"
          description={text('hints.notify_sms')}
          placeholder="+491701234567"
          maxLength={16}
        />
      </FormSection>
    </RecordForm>
  )

  function windowText(minutes: number): string {
    if (minutes % 1_440 === 0) return text('days', { count: minutes / 1_440 })
    return minutes % 60 === 0 ? text('hours', { count: minutes / 60 }) : text('minutes', { count: minutes })
  }
}
