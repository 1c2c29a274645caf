import type { EditorHandle } from '@emma/ui/code/code-editor.tsx'
import { useEffect, useRef, useState } from 'react'
import type { TemplateTab } from './template-fields.tsx'
import type { TemplateFault } from './template-faults.ts'

/**
 * The open tab of a template's parts, and a function that shows a fault's position.
 *
 * @param first the tab that is open at first
 */
export function useSource(idOf: (field: string) => string, first: TemplateTab) {
  const [tab, setTab] = useState(first)
  const editor = useRef<EditorHandle>(null)
  const wanted = useRef<TemplateFault | null>(null)
  // The editor of another tab only exists after it has rendered; its position is shown then.
  useEffect(() => {
    if (wanted.current && editor.current) {
      showPlace(editor.current, wanted.current)
      wanted.current = null
    }
  })
  return {
    tab,
    setTab,
    editor,
    go: (fault: TemplateFault) => {
      if (fault.field === 'subject' || fault.field === 'preheader')
        return document.getElementById(idOf(fault.field))?.focus()
      const next = fault.field === 'body_text' ? 'text' : 'source'
      if (next === tab && editor.current) return showPlace(editor.current, fault)
      wanted.current = fault
      return setTab(next)
    },
  }
}

function showPlace(editor: EditorHandle, { line, column }: TemplateFault): void {
  editor.goTo({ line: line ?? 1, column: column ?? 1 })
}
