import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { FormRow } from '@emma/ui/form/record-form.tsx'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import { Input, SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSegmentColumns } from '../../../shell/sending/use-segment-columns.ts'
import type { RecurringValues } from '../recurring-fields.ts'

/** Whether runs follow the calendar, or a date of each subscriber; and which date. */
export function TriggerFields({ form }: { form: RecordForm<RecurringValues> }): ReactNode {
  const { t } = useTranslation()
  const { trigger, schedule, date_column: chosen } = form.values
  const columns = useDateColumns(form.values.list_id)
  const field = form.field('trigger')
  // A column that is gone is still shown, as the record has it.
  const names = columns.some(({ value }) => value === chosen) || chosen === null ? [] : [chosen]
  return (
    <>
      <Input.Wrapper id={field.id} labelElement="div" label={field.label}>
        <SegmentedControl
          fullWidth
          aria-label={field.label}
          disabled={field.isDisabled}
          data={(['calendar', 'date_field'] as const).map(value => ({
            value,
            label: t(`recurring.triggers.${value}`),
          }))}
          value={trigger}
          onChange={value => {
            form.set('trigger', value === 'date_field' ? 'date_field' : 'calendar')
            // Dates of subscribers are compared every day.
            if (value === 'date_field' && schedule) form.set('schedule', { ...schedule, rrule: 'FREQ=DAILY' })
          }}
        />
      </Input.Wrapper>
      {trigger === 'date_field' && (
        <>
          <FormRow>
            <ChoiceField
              form={form}
              name="date_column"
              emptyLabel={t('recurring.hints.no_column')}
              description={t('recurring.hints.date_column')}
              choices={[...columns, ...names.map(value => ({ value, label: value }))]}
            />
            <NumberField
              form={form}
              name="offset_days"
              min={-365}
              max={365}
              decimals={0}
              description={t('recurring.hints.offset_days')}
            />
          </FormRow>
          <SwitchField form={form} name="yearly" description={t('recurring.hints.yearly')} />
        </>
      )}
    </>
  )
}

/** Date columns of the datasource of a segment. */
function useDateColumns(listId: number | null): { value: string; label: string }[] {
  return useSegmentColumns(listId)
    .filter(({ data_type: type }) => type === 'date' || type === 'datetime')
    .map(({ column_name, label }) => ({ value: column_name, label }))
}
