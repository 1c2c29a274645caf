import { dashboard, type Widget } from '@emma/contract/resources/dashboard.ts'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../shell/session/api.ts'
import { refresh } from '../../shell/resource/record-calls.ts'
import type { Dashboard } from './use-dashboards.ts'

/** Debounce of saving in ms. */
const rest = 700

/** Maximum number of undo steps. */
const mostPast = 50

export interface Draft {
  widgets: readonly Widget[]
  /** Applies a change; ignored if it changes nothing. */
  set: (widgets: readonly Widget[]) => void
  undo: (() => void) | undefined
  state: 'saved' | 'saving' | 'failed'
  error: Error | null
  /** Saves pending changes at once. False on an error. */
  save: () => Promise<boolean>
}

/** Editing state of a dashboard's widgets, with auto-save and undo. */
export function useDraft(board: Dashboard): Draft {
  const [widgets, setWidgets] = useState<readonly Widget[]>(board.content)
  const [past, setPast] = useState<readonly (readonly Widget[])[]>([])
  const [state, setState] = useState<Draft['state']>('saved')
  const [error, setError] = useState<Error | null>(null)
  const kept = useRef({ widgets: widgets, revision: board.revision })
  const latest = useRef(widgets)
  const running = useRef<Promise<boolean>>(Promise.resolve(true))

  function save(): Promise<boolean> {
    running.current = running.current.then(async () => {
      const wanted = latest.current
      if (kept.current.widgets === wanted) return true
      try {
        const { revision } = kept.current
        const saved = await api.patch(dashboard, board.dashboard_id, { content: [...wanted] }, { revision })
        kept.current = { widgets: wanted, revision: saved.revision }
        setState(latest.current === wanted ? 'saved' : 'saving')
        setError(null)
        return true
      } catch (failure) {
        setState('failed')
        setError(failure instanceof Error ? failure : new Error(String(failure)))
        return false
      }
    })
    return running.current
  }

  const saveLater = useRef(save)
  useEffect(() => {
    saveLater.current = save
  })
  useEffect(() => {
    if (kept.current.widgets === widgets) return undefined
    const timer = setTimeout(() => void saveLater.current(), rest)
    return () => clearTimeout(timer)
  }, [widgets])
  // Saves pending changes on unmount.
  useEffect(
    () => () => {
      void saveLater.current().then(() => refresh(dashboard))
    },
    [],
  )

  function show(next: readonly Widget[]): void {
    latest.current = next
    setWidgets(next)
    setState('saving')
  }

  return {
    widgets,
    set(next) {
      if (JSON.stringify(next) === JSON.stringify(widgets)) return
      setPast([...past, widgets].slice(-mostPast))
      show(next)
    },
    undo:
      past.length === 0
        ? undefined
        : () => {
            show(past.at(-1) ?? [])
            setPast(past.slice(0, -1))
          },
    state,
    error,
    save,
  }
}
