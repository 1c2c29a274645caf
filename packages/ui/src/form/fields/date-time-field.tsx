import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/de.js'
import 'dayjs/locale/es.js'
import { DatePickerInput, DateTimePicker } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { browserZone, hasTwelveHours } from '../../clock.ts'
import { useLocale, useTranslate, useTimeZone } from '../../i18n.tsx'
import type { FieldProps } from '../field-name.ts'
import { useDateProps } from '../use-date-props.ts'
import { fromZoneText, toZoneText } from '../zoned-time.ts'
import { fieldProps } from './field-props.ts'

export interface DateTimeFieldProps<V extends object> extends FieldProps<V, string | null> {
  /** ISO 8601; the earliest allowed value. */
  min?: string
  max?: string
  isClearable?: boolean
}

/** Field for an instant: entered in the client's time zone, stored in UTC. */
export function DateTimeField<V extends object>(props: DateTimeFieldProps<V>): ReactNode {
  const { form, name, min, max, isClearable = true } = props
  const t = useTranslate()
  const timeZone = useTimeZone()
  const isTwelve = hasTwelveHours(useLocale(), timeZone)
  const dateProps = useDateProps()
  const field = form.field(name)
  const zone = t('form.time_zone', { zone: timeZone ?? browserZone() })
  const zoned = (instant: string | undefined) =>
    instant === undefined ? undefined : (toZoneText(instant, timeZone) ?? undefined)
  return (
    <DateTimePicker
      {...fieldProps(field, props)}
      description={[props.description, zone].filter(Boolean).join(' ')}
      {...dateProps}
      valueFormat={`${dateProps.valueFormat} ${isTwelve ? 'h:mm A' : 'HH:mm'}`}
      timePickerProps={{ format: isTwelve ? '12h' : '24h' }}
      placeholder={t('form.pick_date_time')}
      leftSection={<IconCalendar size={16} aria-hidden />}
      leftSectionPointerEvents="none"
      clearable={isClearable}
      clearButtonProps={{ 'aria-label': t('form.clear', { name: field.label }) }}
      minDate={zoned(min)}
      maxDate={zoned(max)}
      value={typeof field.value === 'string' ? toZoneText(field.value, timeZone) : null}
      onChange={text => field.set(text === null ? null : fromZoneText(text, timeZone))}
    />
  )
}

/** Field for a date without time: `YYYY-MM-DD`. */
export function DateField<V extends object>(props: DateTimeFieldProps<V>): ReactNode {
  const { form, name, min, max, isClearable = true } = props
  const t = useTranslate()
  const field = form.field(name)
  return (
    <DatePickerInput
      {...fieldProps(field, props)}
      {...useDateProps()}
      placeholder={t('form.pick_date')}
      leftSection={<IconCalendar size={16} aria-hidden />}
      leftSectionPointerEvents="none"
      clearable={isClearable}
      clearButtonProps={{ 'aria-label': t('form.clear', { name: field.label }) }}
      minDate={min}
      maxDate={max}
      value={typeof field.value === 'string' ? field.value.slice(0, 10) : null}
      onChange={day => field.set(day)}
    />
  )
}
