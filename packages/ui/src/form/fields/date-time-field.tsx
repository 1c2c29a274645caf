import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/de.js'
import 'dayjs/locale/es.js'
import { DatePickerInput, DateTimePicker } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useFirstDay } from '../../calendar/use-first-day.ts'
import { browserZone, isAmericanClock } from '../../clock.ts'
import { layers } from '../../theme/timings.ts'
import { useLanguage, useTranslate, useTimeZone } from '../../i18n.tsx'
import type { FieldProps } from '../field-name.ts'
import { fromZoneText, toZoneText } from '../zoned-time.ts'
import { fieldProps } from './field-props.ts'

export interface DateTimeFieldProps<V extends object> extends FieldProps<V, string | null> {
  /** ISO 8601; the earliest allowed value. */
  min?: string
  max?: string
  isClearable?: boolean
}

const formats = {
  en: ['MMM D, YYYY', 'MMM D, YYYY HH:mm'],
  de: ['DD.MM.YYYY', 'DD.MM.YYYY HH:mm'],
  es: ['DD/MM/YYYY', 'DD/MM/YYYY HH:mm'],
} as const

/** Field for an instant: entered in the client's time zone, stored in UTC. */
export function DateTimeField<V extends object>(props: DateTimeFieldProps<V>): ReactNode {
  const { form, name, min, max, isClearable = true } = props
  const t = useTranslate()
  const language = useLanguage()
  const timeZone = useTimeZone()
  const isAmerican = isAmericanClock(language, timeZone)
  const field = form.field(name)
  const zone = t('form.time_zone', { zone: timeZone ?? browserZone() })
  const zoned = (instant: string | undefined) =>
    instant === undefined ? undefined : (toZoneText(instant, timeZone) ?? undefined)
  return (
    <DateTimePicker
      {...fieldProps(field, props)}
      description={[props.description, zone].filter(Boolean).join(' ')}
      locale={language}
      valueFormat={isAmerican ? 'MMM D, YYYY h:mm A' : formats[language][1]}
      timePickerProps={{ format: isAmerican ? '12h' : '24h' }}
      placeholder={t('form.pick_date_time')}
      leftSection={<IconCalendar size={16} aria-hidden />}
      leftSectionPointerEvents="none"
      clearable={isClearable}
      clearButtonProps={{ 'aria-label': t('form.clear', { name: field.label }) }}
      firstDayOfWeek={useFirstDay()}
      highlightToday
      popoverProps={{ zIndex: layers.popover }}
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
  const language = useLanguage()
  const field = form.field(name)
  return (
    <DatePickerInput
      {...fieldProps(field, props)}
      locale={language}
      valueFormat={formats[language][0]}
      placeholder={t('form.pick_date')}
      leftSection={<IconCalendar size={16} aria-hidden />}
      leftSectionPointerEvents="none"
      clearable={isClearable}
      clearButtonProps={{ 'aria-label': t('form.clear', { name: field.label }) }}
      firstDayOfWeek={useFirstDay()}
      highlightToday
      popoverProps={{ zIndex: layers.popover }}
      minDate={min}
      maxDate={max}
      value={typeof field.value === 'string' ? field.value.slice(0, 10) : null}
      onChange={day => field.set(day)}
    />
  )
}
