import { getHotkeyHandler } from '@mantine/hooks'
import { isTyping } from '@emma/ui/list/use-list-keys.ts'
import { useUiSettings } from '@emma/ui/ui-settings.tsx'
import { useNavigate } from '@tanstack/react-router'
import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import { goTo } from './navigate.ts'
import { keyboardMap } from './keyboard-map-store.ts'
import { palette, paletteStore } from '../palette/palette-store.ts'
import { useNavigation } from './use-navigation.ts'

/** Time in ms within which the letter must follow `g`. */
const SEQUENCE_TIMEOUT_MS = 1500

/**
 * Registers the console's shortcuts. ⌘K opens the palette anywhere. Single keys: `?` shows all shortcuts; `g` and a
 * letter open a screen that the user may open. Single keys are ignored while typing, in dialogs and menus, and when
 * switched off (WCAG 2.1.4). Uses layout effects, so that shortcuts work as soon as the shell is visible.
 */
export function useShortcuts(): void {
  useLayoutEffect(() => {
    const listen = getHotkeyHandler([['mod+K', palette.toggle]])
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  const { shortcuts } = useUiSettings()
  const areas = useNavigation()
  const navigate = useNavigate()
  const goneAt = useRef(-SEQUENCE_TIMEOUT_MS)

  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
    if (isTyping(event.target) || document.querySelector('[role="dialog"], [role="menu"]')) return
    // Keys pressed before palette or dialog are rendered belong to them.
    if (paletteStore.getState().opened || keyboardMap.isOpen()) return
    const isGoing = event.timeStamp - goneAt.current < SEQUENCE_TIMEOUT_MS
    goneAt.current = event.key === 'g' && !isGoing ? event.timeStamp : -SEQUENCE_TIMEOUT_MS
    if (event.key === '?') return keyboardMap.open()
    const to = isGoing ? goTo[event.key] : undefined
    if (!to || !areas.some(area => area.entries.some(entry => entry.to === to))) return
    // Prevents a shortcut of the list that is being left.
    event.stopImmediatePropagation()
    void navigate({ to })
  })

  useLayoutEffect(() => {
    if (!shortcuts) return undefined
    const listen = (event: KeyboardEvent) => handle(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [shortcuts])
}
