import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useLocale, useTranslate } from '../../i18n.tsx'
import type { FieldProps } from '../field-name.ts'
import { isNumberText, readDecimals, readNumber, roundTo, writeNumber } from '../form-reading.ts'
import { ariaRequired, fieldProps } from './field-props.ts'
import classes from './fields.module.css'

export interface NumberFieldProps<V extends object> extends FieldProps<V, number | null> {
  /** Decimal places: 0 to 10, 2 by default (R280). */
  decimals?: number
  min?: number
  max?: number
  placeholder?: string
  /** After the number: a unit, `%`. */
  suffix?: ReactNode
}

/**
 * Number input that accepts thousands separators and decimal commas (R278) and formats the number on blur. Empty is
 * null. Invalid text becomes 0, with an error.
 */
export function NumberField<V extends object>(props: NumberFieldProps<V>): ReactNode {
  const { form, name, decimals, min, max, suffix, placeholder } = props
  const t = useTranslate()
  const locale = useLocale()
  const field = form.field(name)
  const value = typeof field.value === 'number' ? field.value : null
  const [typed, setTyped] = useState<string | null>(null)
  const [misread, setMisread] = useState<string | null>(null)

  function leave(): void {
    if (typed === null) return
    setMisread(isNumberText(typed, locale) ? null : typed)
    const number = readNumber(typed, locale)
    field.set(number === null ? null : limit(roundTo(number, decimals), min, max))
    setTyped(null)
  }

  const note = misread === null ? props.description : t('form.not_a_number', { text: misread })
  return (
    <TextInput
      {...fieldProps(field, { ...props, description: note })}
      {...ariaRequired(field)}
      inputMode={readDecimals(decimals) === 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      placeholder={placeholder}
      rightSection={suffix && <span className={classes.suffix}>{suffix}</span>}
      rightSectionWidth={suffix ? 'auto' : undefined}
      rightSectionPointerEvents="none"
      value={typed ?? writeNumber(value, locale, decimals)}
      onChange={event => {
        const text = event.currentTarget.value
        setTyped(text)
        // The form is updated while typing, so that Enter and Ctrl+S save the visible value.
        if (isNumberText(text, locale)) field.set(readNumber(text, locale))
      }}
      onBlur={leave}
      onKeyDown={event => event.key === 'Enter' && leave()}
    />
  )
}

/** A percentage from 0 to 100; never negative (R279). */
export function PercentField<V extends object>(props: NumberFieldProps<V>): ReactNode {
  return <NumberField min={0} max={100} suffix="%" {...props} />
}

function limit(number: number, min = -Infinity, max = Infinity): number {
  return Math.min(max, Math.max(min, number))
}
