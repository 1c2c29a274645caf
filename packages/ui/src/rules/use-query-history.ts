import type { RuleGroup } from '@emma/contract/rules.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import {
  type HistoryStep,
  type QueryHistory,
  differsInValues,
  noHistory,
  recordChange,
  sameQuery,
  stepBack,
  stepForth,
} from './query-history.ts'

/** Time in ms within which typing counts as one change. */
const typingPause = 1000

export interface UndoableQuery {
  change: (next: RuleGroup) => void
  undo: (() => void) | null
  redo: (() => void) | null
}

/**
 * Undo and redo of a query. A query set from outside (another record, discarded changes) resets the history. `change`
 * is a stable function, since a new one would render every rule.
 */
export function useQueryHistory(query: RuleGroup, onChange: (query: RuleGroup) => void): UndoableQuery {
  const [history, setHistory] = useState<QueryHistory>(noHistory)
  const latest = useRef({ query, onChange, history, changedAt: 0 })

  useEffect(() => {
    latest.current = { ...latest.current, onChange }
  }, [onChange])
  useEffect(() => {
    if (sameQuery(latest.current.query, query)) return
    latest.current = { ...latest.current, query, history: noHistory }
    setHistory(noHistory)
  }, [query])

  const change = useCallback((next: RuleGroup) => {
    const { query: before, history: kept, changedAt } = latest.current
    const now = performance.now()
    const isTypedOn = now - changedAt < typingPause && differsInValues(before, next)
    const recorded = recordChange(kept, before, next, isTypedOn)
    const isChange = recorded !== kept
    latest.current = {
      ...latest.current,
      query: next,
      history: recorded,
      changedAt: isChange ? now : changedAt,
    }
    if (isChange) setHistory(recorded)
    latest.current.onChange(next)
  }, [])

  function go(step: HistoryStep | null): void {
    if (!step) return
    latest.current = { ...latest.current, query: step.query, history: step.history, changedAt: 0 }
    setHistory(step.history)
    latest.current.onChange(step.query)
  }

  return {
    change,
    undo: history.past.length > 0 ? () => go(stepBack(history, latest.current.query)) : null,
    redo: history.future.length > 0 ? () => go(stepForth(history, latest.current.query)) : null,
  }
}
