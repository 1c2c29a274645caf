import { useEffect, useEffectEvent } from 'react'
import { useUiSettings } from '../ui-settings.tsx'

export interface ListKeys {
  /** Moves the active row by one: j and k. */
  onMove: (by: 1 | -1) => void
  /** x */
  onSelect: () => void
  /** Enter, if the focus is not on a row (which handles it itself). */
  onOpen: () => void
  /** / */
  onSearch: () => void
  /** Escape */
  onLeave: () => void
}

/** Single-key shortcuts of a list, for the whole page; ignored while typing, in popups, and when switched off. */
export function useListKeys(keys: ListKeys, isOn: boolean): void {
  const { shortcuts } = useUiSettings()
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTyping(event.target) || document.querySelector('[role="dialog"], [role="menu"]')) return
    const action = actionOf(event, keys)
    if (!action) return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    if (!isOn || !shortcuts) return undefined
    const listen = (event: KeyboardEvent) => handle(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [isOn, shortcuts])
}

function actionOf(event: KeyboardEvent, keys: ListKeys): (() => void) | undefined {
  if (event.key === 'j') return () => keys.onMove(1)
  if (event.key === 'k') return () => keys.onMove(-1)
  if (event.key === 'x') return keys.onSelect
  if (event.key === '/') return keys.onSearch
  if (event.key === 'Escape') return keys.onLeave
  const isNowhere = event.target === document.body
  return event.key === 'Enter' && isNowhere ? keys.onOpen : undefined
}

/** True if the element takes text input, where single keys are characters. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('textarea, select, [role="combobox"]')) return true
  const input = target.closest('input')
  return input !== null && !['checkbox', 'radio', 'button'].includes(input.type)
}
