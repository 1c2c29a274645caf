import { Button, CloseButton, Progress } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { confirm } from '../feedback/confirm.tsx'
import { notify } from '../feedback/notify.tsx'
import { useUiSettings } from '../ui-settings.tsx'
import { useTranslate } from '../i18n.tsx'
import type { BulkAction, BulkOpening } from './list-parts.ts'
import classes from './list-screen.module.css'
import { type BulkProgress, runBulk } from './run-bulk.ts'

export interface BulkBarProps<Row> {
  rows: readonly Row[]
  actions: readonly (BulkAction<Row> | BulkOpening<Row>)[]
  rowLabel: (row: Row) => string
  onClear: () => void
  /** Called after an action has run, completely or partly. */
  onDone: () => void
}

interface Running {
  label: string
  done: number
  total: number
}

/** Actions for the selected rows, and the progress of a running one. */
export function BulkBar<Row>({ rows, actions, rowLabel, onClear, onDone }: BulkBarProps<Row>): ReactNode {
  const t = useTranslate()
  const { errorText } = useUiSettings()
  const [running, setRunning] = useState<Running | null>(null)
  const stop = useRef<AbortController>(null)

  async function start(action: BulkAction<Row>): Promise<void> {
    const possible = rows.filter(row => action.isPossible?.(row) ?? true)
    if (possible.length < rows.length) {
      notify.warning(t.count('bulk.not_possible', rows.length - possible.length))
    }
    if (possible.length === 0) return
    if (action.confirm && !(await confirm(action.confirm(possible)))) return
    if (action.prepare && !(await action.prepare(possible))) return
    await runAction(action, possible)
  }

  async function runAction(action: BulkAction<Row>, possible: readonly Row[]): Promise<void> {
    stop.current = new AbortController()
    setRunning({ label: action.label, done: 0, total: possible.length })
    const result = await runBulk(possible, action.run, {
      signal: stop.current.signal,
      onProgress: ({ done, total }) => setRunning({ label: action.label, done, total }),
    })
    setRunning(null)
    tell(action, possible, result)
    onDone()
  }

  function tell(action: BulkAction<Row>, all: readonly Row[], result: BulkProgress<Row>): void {
    const { label, undo } = action
    const { done, total, failures } = result
    if (done < total) notify.warning(t('bulk.stopped', { done, total }))
    else if (failures.length < total) {
      const failed = new Set(failures.map(failure => failure.row))
      const undoable = all.filter(row => !failed.has(row) && (action.isUndoable?.(row) ?? true))
      const undone = { id: action.id, label: t('bulk.undone', { label }), run: undo ?? action.run }
      const takeBack = () => void runAction(undone, undoable)
      notify.success(
        t.count('bulk.done', total - failures.length, { label }),
        undo && undoable.length > 0 ? { action: { label: t('action.undo'), run: takeBack } } : {},
      )
    }
    if (failures.length === 0) return
    const reasons = failures.slice(0, 10)
    notify.danger(
      <ul className={classes.failures}>
        {reasons.map(({ row, error }) => (
          <li key={rowLabel(row)}>
            {rowLabel(row)}: {errorText(error)}
          </li>
        ))}
        {failures.length > reasons.length && <li>…</li>}
      </ul>,
      { title: t.count('bulk.failed', failures.length) },
    )
  }

  if (running) {
    const { label, done, total } = running
    return (
      <div className={classes.bulkBar} role="status">
        <span>{t('bulk.running', { label, done, total })}</span>
        <Progress className={classes.bulkProgress} value={(done / total) * 100} aria-label={label} />
        <Button variant="default" onClick={() => stop.current?.abort()}>
          {t('bulk.stop')}
        </Button>
      </div>
    )
  }
  if (rows.length === 0) return null
  return (
    <div className={classes.bulkBar} role="toolbar" aria-label={t.count('list.selected', rows.length)}>
      <strong role="status">{t.count('list.selected', rows.length)}</strong>
      {actions.map(action => (
        <Button
          key={action.id}
          variant="default"
          leftSection={action.icon}
          {...('danger' in action && action.danger ? { c: 'var(--emma-negative)' } : {})}
          onClick={() => ('open' in action ? action.open(rows) : void start(action))}
        >
          {action.label}
        </Button>
      ))}
      <CloseButton aria-label={t('list.selection_clear')} onClick={onClear} />
    </div>
  )
}
