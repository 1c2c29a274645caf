import { Checkbox, Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import type { FieldProps } from '../field-name.ts'
import { readCheckbox } from '../form-reading.ts'
import { fieldProps } from './field-props.ts'

/** Checkbox (R278). */
export function CheckboxField<V extends object>(props: FieldProps<V, boolean | null>): ReactNode {
  const field = props.form.field(props.name)
  const { withAsterisk, ...shared } = fieldProps(field, props)
  return (
    <Checkbox
      {...shared}
      label={withAsterisk ? `${field.label} *` : field.label}
      size="sm"
      checked={readCheckbox(field.value)}
      onChange={event => field.set(event.currentTarget.checked)}
    />
  )
}

/** Switch, for settings that are on or off. */
export function SwitchField<V extends object>(props: FieldProps<V, boolean | null>): ReactNode {
  const field = props.form.field(props.name)
  const { withAsterisk, ...shared } = fieldProps(field, props)
  return (
    <Switch
      {...shared}
      label={withAsterisk ? `${field.label} *` : field.label}
      size="sm"
      checked={readCheckbox(field.value)}
      onChange={event => field.set(event.currentTarget.checked)}
    />
  )
}
