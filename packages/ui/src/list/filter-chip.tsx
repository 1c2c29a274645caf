import { Button, Checkbox, Popover, Radio, Stack, TextInput } from '@mantine/core'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { matches } from '../select/match-option.ts'
import { type Format, type Moment } from '../format.ts'
import { type Translate, useFormat, useTranslate } from '../i18n.tsx'
import classes from './filter-chip.module.css'
import type { ListFilter } from './list-parts.ts'

/** Number of values named in the chip; others are counted. */
const namedValues = 2
/** Number of options from which the popover has a search field. */
const searchFrom = 9

export interface FilterChipProps {
  filter: ListFilter
  values: readonly string[]
  startsOpen?: boolean
  onChange: (values: readonly string[]) => void
  onClose: () => void
}

/** A filter as a chip with its name and values, a popover to change them, and a remove button. */
export function FilterChip({ filter, values, startsOpen, onChange, onClose }: FilterChipProps): ReactNode {
  const t = useTranslate()
  const format = useFormat()
  const [isOpen, setOpen] = useState(startsOpen ?? false)
  const close = () => {
    setOpen(false)
    onClose()
  }
  const isSet = values.length > 0
  return (
    <div className={classes.chip} data-set={isSet || undefined}>
      <Popover
        opened={isOpen}
        onChange={opened => (opened ? setOpen(true) : close())}
        position="bottom-start"
        trapFocus
        returnFocus
        width={260}
      >
        <Popover.Target>
          <button
            type="button"
            className={classes.name}
            aria-label={isSet ? undefined : t('list.filter_edit', { name: filter.label })}
            onClick={() => (isOpen ? close() : setOpen(true))}
          >
            <span className={classes.label}>{filter.label}</span>
            {isSet && <span className={classes.values}>{describeValues(filter, values, t, format)}</span>}
            <IconChevronDown size={14} aria-hidden />
          </button>
        </Popover.Target>
        <Popover.Dropdown aria-label={filter.label}>
          <FilterEditor filter={filter} values={values} onChange={onChange} onDone={close} />
        </Popover.Dropdown>
      </Popover>
      {isSet && (
        <button
          type="button"
          className={classes.remove}
          aria-label={t('list.filter_remove', { name: filter.label })}
          onClick={() => {
            onChange([])
            close()
          }}
        >
          <IconX size={14} aria-hidden />
        </button>
      )}
    </div>
  )
}

interface EditorProps {
  filter: ListFilter
  values: readonly string[]
  onChange: (values: readonly string[]) => void
  onDone: () => void
}

function FilterEditor(props: EditorProps): ReactNode {
  const { filter, values, onChange, onDone } = props
  const t = useTranslate()
  if (filter.kind === 'flag') {
    const options = [
      { value: 'true', label: t('yes') },
      { value: 'false', label: t('no') },
    ]
    return (
      <OneOf label={filter.label} options={options} values={values} onChange={onChange} onDone={onDone} />
    )
  }
  if (filter.kind === 'choice' && filter.single) {
    return (
      <OneOf
        label={filter.label}
        options={filter.options ?? []}
        values={values}
        onChange={onChange}
        onDone={onDone}
      />
    )
  }
  if (filter.kind === 'choice') return <SomeOf {...props} />
  return <Typed {...props} />
}

function OneOf(props: {
  label: string
  options: NonNullable<ListFilter['options']>
  values: readonly string[]
  onChange: (values: readonly string[]) => void
  onDone: () => void
}): ReactNode {
  return (
    <Radio.Group
      label={props.label}
      value={props.values[0] ?? null}
      onChange={value => {
        props.onChange([value])
        props.onDone()
      }}
    >
      <Stack gap="xs" mt="xs">
        {props.options.map(option => (
          <Radio key={option.value} size="sm" value={option.value} label={option.label} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

function SomeOf({ filter, values, onChange }: EditorProps): ReactNode {
  const t = useTranslate()
  const [search, setSearch] = useState('')
  const options = filter.options ?? []
  const shown = options.filter(option => matches(option.label, search))
  return (
    <Stack gap="xs">
      {options.length >= searchFrom && (
        <TextInput
          size="xs"
          aria-label={t('list.search')}
          placeholder={t('list.search')}
          value={search}
          onChange={event => setSearch(event.currentTarget.value)}
        />
      )}
      <Checkbox.Group label={filter.label} value={[...values]} onChange={onChange}>
        <Stack gap="xs" mt="xs" mah={260} className={classes.options}>
          {shown.map(option => (
            <Checkbox key={option.value} size="sm" value={option.value} label={option.label} />
          ))}
          {shown.length === 0 && <span className={classes.nothing}>{t('not_found')}</span>}
        </Stack>
      </Checkbox.Group>
    </Stack>
  )
}

const inputTypes = { text: 'text', number: 'number', date: 'date', choice: 'text', flag: 'text' } as const

function Typed({ filter, values, onChange, onDone }: EditorProps): ReactNode {
  const t = useTranslate()
  const [text, setText] = useState(values[0] ?? '')
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        onChange(text.trim() === '' ? [] : [text.trim()])
        onDone()
      }}
    >
      <Stack gap="xs">
        <TextInput
          data-autofocus
          type={inputTypes[filter.kind]}
          label={filter.label}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
        />
        <Button type="submit">{t('action.apply')}</Button>
      </Stack>
    </form>
  )
}

/** Text of the values in the chip: "Running, Paused +2". */
function describeValues(filter: ListFilter, values: readonly string[], t: Translate, format: Format): string {
  const named = values.slice(0, namedValues).map(value => describeValue(filter, value, t, format))
  const rest = values.length - named.length
  return rest > 0 ? `${named.join(', ')} +${rest}` : named.join(', ')
}

function describeValue(filter: ListFilter, value: string, t: Translate, format: Format): string {
  if (filter.kind === 'flag') return value === 'true' ? t('yes') : t('no')
  if (filter.kind === 'date') {
    const day: Moment = `${value.slice(0, 10)}T00:00:00`
    return format.date(day)
  }
  return filter.options?.find(option => option.value === value)?.label ?? value
}
