import type { Schedule } from '@emma/contract/recurring/schedule.ts'
import { useDateProps } from '@emma/ui/form/use-date-props.ts'
import { layers } from '@emma/ui/theme/timings.ts'
import { Chip, Group, Input, NativeSelect, NumberInput, Select, TextInput } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../recurring.module.css'
import { positions, type Repeat, repeatOf, ruleOf, units, type Weekday, weekdays } from './repeat.ts'
import { useScheduleWords } from './use-schedule-words.ts'

// `supportedValuesOf` does not include UTC.
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')]

interface ScheduleFieldsProps {
  id: string
  schedule: Schedule
  exceptions: readonly string[]
  /** The rule is daily and cannot be chosen. */
  isDaily: boolean
  error: string | undefined
  isDisabled: boolean
  onChange: (schedule: Schedule) => void
  onExceptions: (dates: string[]) => void
}

/** Schedule builder: repeat, time, time zone, first and last day, exceptions. */
export function ScheduleFields(props: ScheduleFieldsProps): ReactNode {
  const { id, schedule, exceptions, isDaily, error, isDisabled, onChange, onExceptions } = props
  const { t } = useTranslation()
  const text = (key: string) => t(`recurring.builder.${key}`)
  const change = (part: Partial<Schedule>) => onChange({ ...schedule, ...part })
  const dates = { ...useDateProps(), disabled: isDisabled }
  return (
    <div id={id} tabIndex={-1} role="group" aria-label={text('label')} className={classes.builder}>
      {!isDaily && (
        <RepeatFields rrule={schedule.rrule} isDisabled={isDisabled} onChange={rrule => change({ rrule })} />
      )}
      <div className={classes.row}>
        <TextInput
          type="time"
          label={text('time')}
          disabled={isDisabled}
          value={schedule.time}
          onChange={event => change({ time: event.currentTarget.value.slice(0, 5) })}
        />
        <Select
          label={text('tz')}
          searchable
          allowDeselect={false}
          disabled={isDisabled}
          comboboxProps={{ zIndex: layers.popover }}
          data={zones.map(zone => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
          value={schedule.tz}
          onChange={tz => tz !== null && change({ tz })}
        />
      </div>
      <div className={classes.row}>
        <DatePickerInput
          {...dates}
          label={text('start')}
          value={schedule.start}
          onChange={start => start !== null && change({ start })}
        />
        <DatePickerInput
          {...dates}
          clearable
          clearButtonProps={{ 'aria-label': text('clear_end') }}
          label={text('end')}
          placeholder={text('no_end')}
          minDate={schedule.start}
          value={schedule.end}
          onChange={end => change({ end })}
        />
      </div>
      <DatePickerInput
        {...dates}
        type="multiple"
        clearable
        clearButtonProps={{ 'aria-label': text('clear_exceptions') }}
        label={text('exceptions')}
        description={text('exceptions_text')}
        placeholder={text('no_exceptions')}
        minDate={schedule.start}
        value={[...exceptions]}
        onChange={days => onExceptions(days.toSorted())}
      />
      {error && <Input.Error>{error}</Input.Error>}
    </div>
  )
}

interface RepeatFieldsProps {
  rrule: string
  isDisabled: boolean
  onChange: (rrule: string) => void
}

/** Repeat in words; the rule itself if it says more than the words can. */
function RepeatFields({ rrule, isDisabled, onChange }: RepeatFieldsProps): ReactNode {
  const { t } = useTranslation()
  const text = (key: string, values: Record<string, number> = {}) => t(`recurring.builder.${key}`, values)
  const words = useScheduleWords()
  const repeat = repeatOf(rrule)
  const change = (part: Partial<Repeat>) => {
    const { unit, every, days, on, month } = { ...(repeat ?? blank), ...part }
    onChange(ruleOf({ unit, every, days: days.length > 0 ? days : blank.days, on, month }))
  }
  const daysId = useId()
  return (
    <>
      <div className={classes.row}>
        {repeat && (
          <NumberInput
            label={text('every')}
            min={1}
            max={1000}
            allowDecimal={false}
            allowNegative={false}
            clampBehavior="strict"
            disabled={isDisabled}
            value={repeat.every}
            onChange={every => change({ every: Math.max(1, Number(every) || 1) })}
          />
        )}
        <NativeSelect
          label={text('unit')}
          disabled={isDisabled}
          value={repeat?.unit ?? 'custom'}
          data={[
            ...units.map(unit => ({
              value: unit as string,
              label: text(`units.${unit}`, { count: repeat?.every ?? 1 }),
            })),
            ...(repeat ? [] : [{ value: 'custom', label: text('custom') }]),
          ]}
          onChange={event => {
            const unit = units.find(each => each === event.currentTarget.value)
            if (unit) change({ unit })
          }}
        />
      </div>
      {!repeat && (
        <TextInput
          label={text('rrule')}
          description={text('rrule_text')}
          disabled={isDisabled}
          value={rrule}
          onChange={event => onChange(event.currentTarget.value.trim())}
        />
      )}
      {repeat?.unit === 'WEEKLY' && (
        <Input.Wrapper labelElement="div" label={text('days')} labelProps={{ id: daysId }}>
          <Group gap={6} mt={6} role="group" aria-labelledby={daysId}>
            {weekdays.map(day => (
              <Chip
                key={day}
                size="sm"
                disabled={isDisabled}
                checked={repeat.days.includes(day)}
                onChange={isOn => change({ days: withDay(repeat.days, day, isOn) })}
              >
                {words.shortWeekday(day)}
              </Chip>
            ))}
          </Group>
        </Input.Wrapper>
      )}
      {repeat && (repeat.unit === 'MONTHLY' || repeat.unit === 'YEARLY') && (
        <DayOfMonth repeat={repeat} isDisabled={isDisabled} onChange={change} />
      )}
    </>
  )
}

const blank: Repeat = { unit: 'WEEKLY', every: 1, days: ['MO'], on: { day: 1 }, month: 1 }

/** A weekly rule keeps at least one day. */
function withDay(days: readonly Weekday[], day: Weekday, isOn: boolean): readonly Weekday[] {
  const others = days.filter(each => each !== day)
  if (isOn) return [...others, day]
  return others.length > 0 ? others : days
}

interface DayOfMonthProps {
  repeat: Repeat
  isDisabled: boolean
  onChange: (part: Partial<Repeat>) => void
}

/** Day of the month, or a weekday of it; the month of a yearly rule. */
function DayOfMonth({ repeat: { unit, on, month }, isDisabled, onChange }: DayOfMonthProps): ReactNode {
  const { t } = useTranslation()
  const text = (key: string, values: Record<string, number> = {}) => t(`recurring.builder.${key}`, values)
  const words = useScheduleWords()
  const position = 'day' in on ? 'day' : String(on.position)
  return (
    <div className={classes.row}>
      {unit === 'YEARLY' && (
        <NativeSelect
          label={text('month')}
          disabled={isDisabled}
          value={String(month)}
          data={Array.from({ length: 12 }, (_, index) => ({
            value: String(index + 1),
            label: words.month(index + 1),
          }))}
          onChange={event => onChange({ month: Number(event.currentTarget.value) })}
        />
      )}
      <NativeSelect
        label={text('on')}
        disabled={isDisabled}
        value={position}
        data={[
          { value: 'day', label: text('on_day') },
          ...positions.map(each => ({
            value: String(each),
            label: t(`recurring.builder.positions.${each === -1 ? 'last' : each}`),
          })),
        ]}
        onChange={event => {
          const chosen = event.currentTarget.value
          const weekday = 'day' in on ? 'MO' : on.weekday
          onChange({ on: chosen === 'day' ? { day: 1 } : { position: Number(chosen), weekday } })
        }}
      />
      {'day' in on ? (
        <NativeSelect
          label={text('day')}
          description={on.day > 28 ? text('short_months', { day: on.day }) : undefined}
          disabled={isDisabled}
          value={String(on.day)}
          data={[
            ...Array.from({ length: 31 }, (_, index) => String(index + 1)),
            { value: '-1', label: text('last_day') },
          ]}
          onChange={event => onChange({ on: { day: Number(event.currentTarget.value) } })}
        />
      ) : (
        <NativeSelect
          label={text('weekday')}
          disabled={isDisabled}
          value={on.weekday}
          data={weekdays.map(value => ({ value, label: words.weekday(value) }))}
          onChange={event => {
            const weekday = weekdays.find(each => each === event.currentTarget.value)
            if (weekday) onChange({ on: { ...on, weekday } })
          }}
        />
      )}
    </div>
  )
}
