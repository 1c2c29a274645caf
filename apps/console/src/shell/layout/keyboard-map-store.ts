let isOpen = false
const listeners = new Set<() => void>()

function set(next: boolean): void {
  isOpen = next
  for (const listener of listeners) listener()
}

/** Opens and closes the dialog of shortcuts from anywhere. Separate from the dialog, which is loaded later. */
export const keyboardMap = {
  open: (): void => set(true),
  close: (): void => set(false),
  isOpen: (): boolean => isOpen,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
