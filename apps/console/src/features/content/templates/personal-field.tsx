import { TextField, type TextFieldProps } from '@emma/ui/form/fields/text-field.tsx'
import type { ReactNode } from 'react'
import classes from '../content.module.css'
import { PlaceholderMenu } from '../placeholders/placeholder-menu.tsx'
import type { TemplateFault } from './template-faults.ts'

interface PersonalFieldProps<V extends object> extends Pick<TextFieldProps<V>, 'form' | 'name'> {
  description: string
  maxLength: number
  faults: readonly TemplateFault[]
  memberTableId: number | null
  /** Beside the menu. */
  tools?: (insert: (text: string) => void) => ReactNode
}

/** Text field with a menu that inserts placeholders at the cursor, and with the field's faults. */
export function PersonalField<V extends object>(props: PersonalFieldProps<V>): ReactNode {
  const { form, name, description, maxLength, faults, memberTableId, tools } = props
  const field = form.field(name)
  const value = typeof field.value === 'string' ? field.value : ''
  const own = faults.filter(fault => String(fault.field) === name)
  const insert = (text: string) => {
    const input = document.getElementById(form.idOf(name))
    const isInput = input instanceof HTMLInputElement
    const from = isInput ? (input.selectionStart ?? value.length) : value.length
    const to = isInput ? (input.selectionEnd ?? from) : from
    field.set(value.slice(0, from) + text + value.slice(to))
    if (isInput) input.focus()
  }
  return (
    <div className={classes.personal}>
      <TextField form={form} name={name} description={description} maxLength={maxLength} />
      <div className={classes.picker}>
        {tools?.(insert)}
        <PlaceholderMenu
          withoutLinks
          memberTableId={memberTableId}
          label={form.labels[name] ?? name}
          onPick={insert}
        />
      </div>
      {own.map(fault => (
        <p key={fault.message} className={classes.fault} data-severity={fault.severity}>
          {fault.message}
        </p>
      ))}
    </div>
  )
}
