import { NativeSelect, Radio, SegmentedControl, Stack, Input } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { FieldProps } from '../field-name.ts'
import { fieldProps } from './field-props.ts'
import classes from './fields.module.css'

export interface Choice<T extends string | number> {
  value: T
  label: string
  description?: string
}

export interface ChoiceFieldProps<V extends object, T extends string | number>
  extends FieldProps<V, T | null> {
  choices: readonly Choice<T>[]
  /**
   * `select` (native, for short fixed lists), `radio` (with descriptions), `segments` (two to four short labels). For
   * long or loaded lists use `SelectField`.
   */
  look?: 'select' | 'radio' | 'segments'
  /** Label of an empty option that stands for null. */
  emptyLabel?: string
}

/** Field for one of a few fixed values. */
export function ChoiceField<V extends object, T extends string | number>(
  props: ChoiceFieldProps<V, T>,
): ReactNode {
  const { form, name, choices, look = 'select', emptyLabel } = props
  // On narrow screens the segments would be cut off or exceed the width.
  const isNarrow = useMediaQuery('(max-width: 500px)', false, { getInitialValueInEffect: false })
  const field = form.field(name)
  const shared = fieldProps(field, props)
  const value = choices.find(choice => choice.value === field.value)
  const text = value === undefined ? '' : String(value.value)
  const choose = (chosen: string) =>
    field.set(choices.find(choice => String(choice.value) === chosen)?.value ?? null)

  if (look === 'radio') {
    const { disabled, id, ...group } = shared
    return (
      <Radio.Group {...group} value={text} onChange={choose}>
        <Stack gap="xs" mt={6}>
          {choices.map((choice, index) => (
            <Radio
              key={choice.value}
              {...(index === 0 ? { id } : {})}
              size="sm"
              value={String(choice.value)}
              label={choice.label}
              description={choice.description}
              disabled={disabled}
            />
          ))}
        </Stack>
      </Radio.Group>
    )
  }
  if (look === 'segments') {
    const { id, label, description, error, withAsterisk, disabled } = shared
    return (
      <Input.Wrapper
        id={id}
        labelElement="div"
        label={label}
        description={description}
        error={error}
        withAsterisk={withAsterisk}
      >
        <SegmentedControl
          id={id}
          tabIndex={-1}
          fullWidth
          orientation={isNarrow ? 'vertical' : 'horizontal'}
          classNames={{ control: classes.segment ?? '', label: classes.segmentLabel ?? '' }}
          {...(isNarrow ? { styles: { label: { paddingBlock: 9 } } } : {})}
          aria-label={label}
          disabled={disabled}
          data={choices.map(choice => ({ value: String(choice.value), label: choice.label }))}
          value={text}
          onChange={choose}
        />
      </Input.Wrapper>
    )
  }
  const empty =
    value === undefined || emptyLabel !== undefined ? [{ value: '', label: emptyLabel ?? '' }] : []
  return (
    <NativeSelect
      {...shared}
      data={[...empty, ...choices.map(choice => ({ value: String(choice.value), label: choice.label }))]}
      value={text}
      onChange={event => choose(event.currentTarget.value)}
    />
  )
}
