import { ColorInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslate } from '../../i18n.tsx'
import type { FieldProps } from '../field-name.ts'
import { ariaRequired, fieldProps } from './field-props.ts'

export interface ColorFieldProps<V extends object> extends FieldProps<V, string | null> {
  swatches?: readonly string[]
  /** Shown while there is none. */
  placeholder?: string
}

const usualSwatches = ['#e8590c', '#f59f00', '#2f9e44', '#0c8599', '#1971c2', '#6741d9', '#c2255c', '#495057']

/** Color as `#rrggbb`. */
export function ColorField<V extends object>(props: ColorFieldProps<V>): ReactNode {
  const { form, name, swatches = usualSwatches, placeholder } = props
  const t = useTranslate()
  const field = form.field(name)
  return (
    <ColorInput
      {...fieldProps(field, props)}
      {...ariaRequired(field)}
      format="hex"
      placeholder={placeholder}
      swatches={[...swatches]}
      eyeDropperButtonProps={{ 'aria-label': t('form.pick_color') }}
      value={typeof field.value === 'string' ? field.value : ''}
      onChange={color => field.set(color === '' ? null : color)}
    />
  )
}
