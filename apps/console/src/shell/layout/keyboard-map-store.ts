let isOpen = false
const listeners = new Set<() => void>()

function set(next: boolean): void {
  isOpen = next
  for (const listener of listeners) listener()
}

/** Opens and closes the map of shortcuts from anywhere; apart from it, since the map itself comes later. */
export const keyboardMap = {
  open: (): void => set(true),
  close: (): void => set(false),
  isOpen: (): boolean => isOpen,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
