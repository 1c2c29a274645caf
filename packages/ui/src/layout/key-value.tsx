import type { ReactNode } from 'react'
import classes from './key-value.module.css'

export interface KeyValueProps {
  /** Left out where the value is null. */
  entries: readonly { label: string; value: ReactNode }[]
  /** Beside each other where there is room. */
  columns?: 1 | 2 | 3
}

/** Facts under their names. */
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
