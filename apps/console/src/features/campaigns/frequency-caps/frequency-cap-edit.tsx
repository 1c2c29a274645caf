import type { RecordOf } from '@emma/client/emma-client.ts'
import { capping } from '@emma/contract/resources/capping.ts'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useFieldLabels } from '../../../shell/i18n/use-field-labels.ts'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { hoursOf, windowOf, windowUnits, type WindowUnit } from './window.ts'

const fields = ['name', 'max_mails', 'period_hours', 'scope'] as const
const units = Object.keys(windowUnits) as WindowUnit[]
const scopes = ['client', 'member_table', 'category_value'] as const

/** Form of a frequency cap: at most so many emails in a sliding window. */
export default function FrequencyCapEdit(): ReactNode {
  return <RecordPage resource={capping}>{record => <FrequencyCapForm record={record} />}</RecordPage>
}

interface Values {
  name: string
  max_mails: number | null
  /** Length of the window in `unit`. */
  period_hours: number | null
  unit: WindowUnit
  scope: (typeof scopes)[number]
}

function FrequencyCapForm({ record }: { record: RecordOf<typeof capping> | null }): ReactNode {
  const { t } = useTranslation()
  const labels = useFieldLabels(capping, fields)
  const form = useResourceForm<typeof capping, (typeof fields)[number], Values>(capping, record, {
    fields,
    labels: { ...labels, unit: t('campaigns.capping.unit') } as Record<keyof Values, string>,
    toValues: ({ period_hours, scope, ...values }) => {
      const { length, unit } = windowOf(period_hours)
      return { ...values, scope, period_hours: length, unit }
    },
    // The window is sent whole, whichever of its parts was changed.
    saving: (send, { period_hours, unit }) => send({ period_hours: hoursOf({ length: period_hours, unit }) }),
    toBody: ({ unit: _unit, period_hours: _length, ...values }) => values,
  })
  return (
    <RecordForm form={form}>
      <FormSection title={t('campaigns.capping.section')} description={t('campaigns.capping.section_text')}>
        <TextField form={form} name="name" maxLength={255} />
        <NumberField form={form} name="max_mails" min={1} max={10_000} decimals={0} />
        <FormRow>
          <NumberField form={form} name="period_hours" min={1} decimals={0} />
          <ChoiceField
            form={form}
            name="unit"
            choices={units.map(value => ({ value, label: t(`campaigns.capping.units.${value}`) }))}
          />
        </FormRow>
        <ChoiceField
          form={form}
          name="scope"
          look="radio"
          choices={scopes.map(value => ({
            value,
            label: t(`campaigns.capping.scopes.${value}`),
            description: t(`campaigns.capping.scope_texts.${value}`),
          }))}
        />
      </FormSection>
    </RecordForm>
  )
}
