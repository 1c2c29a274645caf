import type { ReactNode } from 'react'
import classes from './key-value.module.css'

export interface KeyValueProps {
  /** Entries with a null value are omitted. */
  entries: readonly { label: string; value: ReactNode }[]
  /** Number of columns on wide screens. */
  columns?: 1 | 2 | 3
}

/** Description list of labels and values. */
export function KeyValue({ entries, columns = 1 }: KeyValueProps): ReactNode {
  return (
    <dl className={classes.list} data-columns={columns}>
      {entries
        .filter(entry => entry.value !== null && entry.value !== undefined)
        .map(entry => (
          <div key={entry.label} className={classes.entry}>
            <dt>{entry.label}</dt>
            <dd>{entry.value}</dd>
          </div>
        ))}
    </dl>
  )
}
