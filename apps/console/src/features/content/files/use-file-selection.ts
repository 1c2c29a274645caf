import { useState } from 'react'
import type { FileItem } from './file-item.ts'

const none: ReadonlySet<number> = new Set()

interface FileSelection {
  /** Ids of the selected entries. */
  selected: ReadonlySet<number>
  select: (item: FileItem, isSelected: boolean) => void
  clear: () => void
}

/** The selected entries of a view: another folder or area begins without any. A search shows those that it finds. */
export function useFileSelection(view: string): FileSelection {
  const [selection, setSelection] = useState({ view, ids: none })
  const selected = selection.view === view ? selection.ids : none
  return {
    selected,
    select(item, isSelected) {
      const ids = new Set(selected)
      if (isSelected) ids.add(item.id)
      else ids.delete(item.id)
      setSelection({ view, ids })
    },
    clear: () => setSelection({ view, ids: none }),
  }
}
