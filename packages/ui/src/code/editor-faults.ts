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

/** Marks the lines of faults and underlines from the place to the end of the word; the words show on hovering. */
export function faultMarks(state: EditorState, faults: readonly CodeFault[]): Extension {
  const marks = faults.flatMap(fault => {
    const line = state.doc.line(Math.min(Math.max(1, fault.line), state.doc.lines))
    const from = offsetOf(state, fault)
    const rest = /^\S*/.exec(state.sliceDoc(from, line.to))?.[0].length ?? 0
    const to = Math.min(line.to, from + Math.max(rest, 1))
    const attributes = { title: fault.message }
    const lineMark = Decoration.line({ class: `cm-faultLine cm-fault-${fault.severity}`, attributes })
    const wordMark = Decoration.mark({ class: `cm-faultWord cm-fault-${fault.severity}`, attributes })
    return [lineMark.range(line.from), ...(to > from ? [wordMark.range(from, to)] : [])]
  })
  // Follows what is typed until the next look at the text says anew what is wrong.
  return StateField.define<DecorationSet>({
    create: () => Decoration.set(marks, true),
    update: (set, { changes }) => set.map(changes),
    provide: field => EditorView.decorations.from(field),
  })
}
