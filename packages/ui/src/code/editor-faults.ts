import type { Diagnostic } from '@codemirror/lint'
import { type EditorState, type Extension, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'

/** Something wrong at a place of the text. Lines and columns count from 1. */
export interface CodeFault {
  line: number
  column: number
  message: string
  severity: 'error' | 'warning'
}

/** Where a place is in the text; places behind the end are at the end. */
export function offsetOf(state: EditorState, { line, column }: Pick<CodeFault, 'line' | 'column'>): number {
  const at = state.doc.line(Math.min(Math.max(1, line), state.doc.lines))
  return Math.min(at.from + Math.max(0, column - 1), at.to)
}

/** The faults as CodeMirror shows them: in the gutter, underlined to the end of the word, told on hovering and by F8. */
export function diagnosticsOf(state: EditorState, faults: readonly CodeFault[]): Diagnostic[] {
  return faults.map(fault => {
    const line = state.doc.line(Math.min(Math.max(1, fault.line), state.doc.lines))
    const from = offsetOf(state, fault)
    const rest = /^\S*/.exec(state.sliceDoc(from, line.to))?.[0].length ?? 0
    const to = Math.min(line.to, from + Math.max(rest, 1))
    return { from, to, severity: fault.severity, message: fault.message }
  })
}

/** Colours the lines of faults. */
export function faultLines(state: EditorState, faults: readonly CodeFault[]): Extension {
  const marks = faults.map(fault => {
    const line = state.doc.line(Math.min(Math.max(1, fault.line), state.doc.lines))
    return Decoration.line({ class: `cm-faultLine cm-fault-${fault.severity}` }).range(line.from)
  })
  // Follows what is typed until the next look at the text says anew what is wrong.
  return StateField.define<DecorationSet>({
    create: () => Decoration.set(marks, true),
    update: (set, { changes }) => set.map(changes),
    provide: field => EditorView.decorations.from(field),
  })
}
