import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import type { ReactNode } from 'react'
import classes from '../content.module.css'
import { PlaceholderMenu } from '../placeholders/placeholder-menu.tsx'
import type { TemplateValues } from './template-values.ts'
import type { TemplateFault } from './template-faults.ts'

interface PersonalFieldProps {
  form: RecordForm<TemplateValues>
  name: 'subject' | 'preheader'
  description: string
  maxLength: number
  faults: readonly TemplateFault[]
  memberTableId: number | null
}

/** Text field with a menu that inserts placeholders at the cursor, and with the field's faults. */
export function PersonalField(props: PersonalFieldProps): ReactNode {
  const { form, name, description, maxLength, faults, memberTableId } = props
  const own = faults.filter(fault => fault.field === name)
  return (
    <div className={classes.personal}>
      <TextField form={form} name={name} description={description} maxLength={maxLength} />
      <div className={classes.picker}>
        <PlaceholderMenu
          withoutLinks
          memberTableId={memberTableId}
          label={form.labels[name] ?? name}
          onPick={text => {
            const input = document.getElementById(form.idOf(name))
            const value = form.values[name] ?? ''
            const isInput = input instanceof HTMLInputElement
            const from = isInput ? (input.selectionStart ?? value.length) : value.length
            const to = isInput ? (input.selectionEnd ?? from) : from
            form.set(name, value.slice(0, from) + text + value.slice(to))
            if (isInput) input.focus()
          }}
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
