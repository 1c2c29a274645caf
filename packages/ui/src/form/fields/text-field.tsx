import { PasswordInput, TextInput, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslate } from '../../i18n.tsx'
import type { FieldProps } from '../field-name.ts'
import { ariaRequired, fieldProps } from './field-props.ts'
import classes from './fields.module.css'

export interface TextFieldProps<V extends object> extends FieldProps<V, string | null> {
  placeholder?: string
  /** Maximum length in characters; a counter appears near it. */
  maxLength?: number
  type?: 'text' | 'email' | 'url' | 'tel'
  autoComplete?: string
  /** Shown after the text inside the input, e.g. a unit. */
  suffix?: ReactNode
  isMonospaced?: boolean
}

/** Single-line text field. */
export function TextField<V extends object>(props: TextFieldProps<V>): ReactNode {
  const { form, name, placeholder, maxLength, type = 'text', autoComplete = 'off', suffix } = props
  const field = form.field(name)
  const text = asText(field.value)
  return (
    <TextInput
      {...fieldProps(field, props)}
      {...ariaRequired(field)}
      type={type}
      placeholder={placeholder}
      autoComplete={autoComplete}
      rightSection={
        suffix ? (
          <span className={classes.suffix}>{suffix}</span>
        ) : (
          <Characters text={text} maxLength={maxLength} />
        )
      }
      rightSectionWidth={suffix || isNearEnd(text, maxLength) ? 'auto' : undefined}
      rightSectionPointerEvents="none"
      {...(props.isMonospaced ? { classNames: { input: classes.monospaced ?? '' } } : {})}
      value={text}
      onChange={event => field.set(event.currentTarget.value)}
    />
  )
}

export interface TextAreaFieldProps<V extends object> extends FieldProps<V, string | null> {
  placeholder?: string
  rows?: number
  maxRows?: number
}

/** Multi-line text field that grows with its content. */
export function TextAreaField<V extends object>(props: TextAreaFieldProps<V>): ReactNode {
  const { form, name, placeholder, rows = 3, maxRows = 16 } = props
  const field = form.field(name)
  return (
    <Textarea
      {...fieldProps(field, props)}
      {...ariaRequired(field)}
      placeholder={placeholder}
      autosize
      minRows={rows}
      maxRows={maxRows}
      value={asText(field.value)}
      onChange={event => field.set(event.currentTarget.value)}
    />
  )
}

export interface PasswordFieldProps<V extends object> extends FieldProps<V, string | null> {
  autoComplete?: 'new-password' | 'current-password' | 'off'
  placeholder?: string
}

/** Password field. Add its name to the form's `secret`, so that drafts omit it. */
export function PasswordField<V extends object>(props: PasswordFieldProps<V>): ReactNode {
  const { form, name, autoComplete = 'new-password', placeholder } = props
  const t = useTranslate()
  const field = form.field(name)
  return (
    <PasswordInput
      {...fieldProps(field, props)}
      {...ariaRequired(field)}
      placeholder={placeholder}
      autoComplete={autoComplete}
      visibilityToggleButtonProps={{ 'aria-label': t('form.show_password'), tabIndex: 0 }}
      value={asText(field.value)}
      // An emptied input is null: the stored password stays.
      onChange={event => field.set(event.currentTarget.value || null)}
    />
  )
}

/** Character counter, shown from 90 % of the maximum. */
function Characters({ text, maxLength }: { text: string; maxLength: number | undefined }): ReactNode {
  const t = useTranslate()
  if (maxLength === undefined || !isNearEnd(text, maxLength)) return null
  return (
    <span className={classes.suffix} data-over={text.length > maxLength || undefined}>
      {t('form.characters', { count: text.length, max: maxLength })}
    </span>
  )
}

function isNearEnd(text: string, maxLength: number | undefined): boolean {
  return maxLength !== undefined && text.length >= maxLength * 0.9
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
