import type { Diagnostic } from '@codemirror/lint'
import { type EditorState, type Extension, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'

/** A fault at a position of the text. Lines and columns start at 1. */
export interface CodeFault {
  line: number
  column: number
  message: string
  severity: 'error' | 'warning'
}

/** Offset of a position; positions after the end are clamped. */
export function offsetOf(state: EditorState, { line, column }: Pick<CodeFault, 'line' | 'column'>): number {
  const at = state.doc.line(Math.min(Math.max(1, line), state.doc.lines))
  return Math.min(at.from + Math.max(0, column - 1), at.to)
}

/**
 * Converts faults to CodeMirror diagnostics: marked in the gutter, underlined to the end of the word, shown on hover
 * and by F8.
 */
export function diagnosticsOf(state: EditorState, faults: readonly CodeFault[]): Diagnostic[] {
  return faults.map(fault => {
    const line = state.doc.line(Math.min(Math.max(1, fault.line), state.doc.lines))
    const from = offsetOf(state, fault)
    const rest = /^\S*/.exec(state.sliceDoc(from, line.to))?.[0].length ?? 0
    const to = Math.min(line.to, from + Math.max(rest, 1))
    return { from, to, severity: fault.severity, message: fault.message }
  })
}

/** Highlights the lines of faults. */
export function faultLines(state: EditorState, faults: readonly CodeFault[]): Extension {
  const marks = faults.map(fault => {
    const line = state.doc.line(Math.min(Math.max(1, fault.line), state.doc.lines))
    return Decoration.line({ class: `cm-faultLine cm-fault-${fault.severity}` }).range(line.from)
  })
  // Maps the marks through edits until the next validation.
  return StateField.define<DecorationSet>({
    create: () => Decoration.set(marks, true),
    update: (set, { changes }) => set.map(changes),
    provide: field => EditorView.decorations.from(field),
  })
}
