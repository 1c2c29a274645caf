import { type ReactNode, useState } from 'react'
import { CopyButton } from '../layout/copy-button.tsx'
import { useTranslate } from '../i18n.tsx'
import classes from './code.module.css'

export interface JsonViewProps {
  /** Accessible name of the data. */
  label: string
  value: unknown
  /** Number of levels expanded initially. */
  openLevels?: number
}

/** Number of entries of an array or object rendered at once. */
const entriesAtOnce = 100

/** JSON as an expandable tree; plain HTML, so that keyboard and page search work. */
export function JsonView({ label, value, openLevels = 2 }: JsonViewProps): ReactNode {
  const t = useTranslate()
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls needs the keyboard
    <div className={classes.json} role="region" aria-label={label} tabIndex={0}>
      <div className={classes.jsonHead}>
        <CopyButton value={JSON.stringify(value, null, 2) ?? ''} label={t('action.copy')} />
      </div>
      <Value value={value} level={0} openLevels={openLevels} />
    </div>
  )
}

interface ValueProps {
  name?: string
  value: unknown
  level: number
  openLevels: number
}

function Value({ name, value, level, openLevels }: ValueProps): ReactNode {
  const key = name !== undefined && <span className={classes.jsonKey}>{name}: </span>
  if (typeof value !== 'object' || value === null) {
    return (
      <>
        {key}
        <Scalar value={value} />
      </>
    )
  }
  const entries = Object.entries(value)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (entries.length === 0) {
    return (
      <>
        {key}
        {open}
        {close}
      </>
    )
  }
  return (
    <details open={level < openLevels}>
      <summary>
        {key}
        {open}
        <span className={classes.jsonCount}> {entries.length} </span>
        {close}
      </summary>
      <Entries entries={entries} level={level + 1} openLevels={openLevels} />
    </details>
  )
}

function Entries(props: {
  entries: readonly (readonly [string, unknown])[]
  level: number
  openLevels: number
}): ReactNode {
  const { entries, level, openLevels } = props
  const t = useTranslate()
  const [shown, setShown] = useState(entriesAtOnce)
  return (
    <ul>
      {entries.slice(0, shown).map(([name, value]) => (
        <li key={name}>
          <Value name={name} value={value} level={level} openLevels={openLevels} />
        </li>
      ))}
      {entries.length > shown && (
        <li>
          <button type="button" className={classes.jsonMore} onClick={() => setShown(shown + entriesAtOnce)}>
            {t.count('more', entries.length - shown)}
          </button>
        </li>
      )}
    </ul>
  )
}

function Scalar({ value }: { value: unknown }): ReactNode {
  if (typeof value === 'string') return <span className={classes.jsonText}>{JSON.stringify(value)}</span>
  return <span className={classes.jsonNumber}>{String(value)}</span>
}
