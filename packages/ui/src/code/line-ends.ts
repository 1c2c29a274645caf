import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/** Keeps the line ends of a text: CodeMirror would join its lines by "\n". Pasted text takes them on. */
export function lineEnds(text: string): Extension {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  return [
    EditorState.lineSeparator.of(lineEnd),
    EditorView.clipboardInputFilter.of(pasted => pasted.replaceAll(/\r\n?|\n/g, lineEnd)),
  ]
}
