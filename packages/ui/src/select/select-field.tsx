import { Input } from '@mantine/core'
import type { ReactNode } from 'react'
import type { FieldProps } from '../form/field-name.ts'
import type { FieldBinding } from '../form/use-record-form.ts'
import classes from './select.module.css'
import { MultiSelect, type MultiSelectProps, Select, type SelectProps } from './select.tsx'
import type { SelectValue } from './select-source.ts'

type Taken =
  | 'value'
  | 'onChange'
  | 'inputId'
  | 'label'
  | 'describedBy'
  | 'hasError'
  | 'isRequired'
  | 'isDisabled'

export type SelectFieldProps<V extends object, T extends SelectValue> = FieldProps<V, T | null> &
  Omit<SelectProps<T>, Taken>

/** Form field for one of many values. */
export function SelectField<V extends object, T extends SelectValue>(
  props: SelectFieldProps<V, T>,
): ReactNode {
  const { form, name, description, isDisabled, ...select } = props
  const field = form.field(name)
  return (
    <Labelled field={field} description={description}>
      <Select
        {...select}
        {...selectProps(field, description, isDisabled)}
        // The value comes from this select or from the record, whose field has this type.
        value={readValue<T>(field.value)}
        onChange={field.set}
      />
    </Labelled>
  )
}

export type MultiSelectFieldProps<V extends object, T extends SelectValue> = FieldProps<
  V,
  readonly T[] | null
> &
  Omit<MultiSelectProps<T>, Taken>

/** Form field for several of many values. */
export function MultiSelectField<V extends object, T extends SelectValue>(
  props: MultiSelectFieldProps<V, T>,
): ReactNode {
  const { form, name, description, isDisabled, ...select } = props
  const field = form.field(name)
  return (
    <Labelled field={field} description={description}>
      <MultiSelect
        {...select}
        {...selectProps(field, description, isDisabled)}
        value={readValues<T>(field.value)}
        onChange={field.set}
      />
    </Labelled>
  )
}

function Labelled(props: {
  field: FieldBinding
  description: string | undefined
  children: ReactNode
}): ReactNode {
  const { field, description, children } = props
  return (
    <Input.Wrapper
      id={field.id}
      label={field.label}
      description={description}
      error={field.error}
      withAsterisk={field.isRequired}
      labelProps={{ htmlFor: field.id }}
      descriptionProps={{ id: `${field.id}-description` }}
      errorProps={{ id: `${field.id}-error` }}
    >
      <div className={description === undefined ? undefined : classes.described}>{children}</div>
    </Input.Wrapper>
  )
}

function selectProps(field: FieldBinding, description: string | undefined, isDisabled: boolean | undefined) {
  const described = [description && `${field.id}-description`, field.error && `${field.id}-error`].filter(
    Boolean,
  )
  return {
    inputId: field.id,
    label: field.label,
    hasError: field.error !== undefined,
    isRequired: field.isRequired,
    isDisabled: isDisabled === true || field.isDisabled,
    ...(described.length > 0 ? { describedBy: described.join(' ') } : {}),
  }
}

function isValue<T extends SelectValue>(value: unknown): value is T {
  return typeof value === 'string' || typeof value === 'number'
}

function readValue<T extends SelectValue>(value: unknown): T | null {
  return isValue<T>(value) ? value : null
}

function readValues<T extends SelectValue>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value.filter(entry => isValue<T>(entry)) : []
}
