import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import classes from './more-fields.module.css'
import type { RecordForm } from './use-record-form.ts'

interface MoreFieldsProps<V extends object> {
  form: RecordForm<V>
  label: string
  /** The fields inside: they are shown as long as one has an error. */
  names: readonly (keyof V & string)[]
  /** One of the fields is filled in: they are shown when that begins. */
  isInUse: boolean
  children: ReactNode
}

/** Fields that are seldom needed, folded away until they are. */
export function MoreFields<V extends object>(props: MoreFieldsProps<V>): ReactNode {
  const { form, label, names, isInUse, children } = props
  const [isOpen, setOpen] = useState(isInUse)
  const [wasInUse, setInUse] = useState(isInUse)
  if (isInUse !== wasInUse) {
    setInUse(isInUse)
    if (isInUse) setOpen(true)
  }
  const hasError = names.some(name => form.field(name).error !== undefined)
  return (
    <details
      className={classes.more}
      open={isOpen || hasError}
      onToggle={event => setOpen(event.currentTarget.open)}
    >
      <summary className={classes.summary}>
        <IconChevronRight className={classes.arrow} size={16} aria-hidden />
        {label}
      </summary>
      <div className={classes.fields}>{children}</div>
    </details>
  )
}
