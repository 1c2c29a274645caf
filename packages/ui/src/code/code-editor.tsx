import type { ReactNode } from 'react'
import { BlockSkeleton } from '../feedback/skeletons.tsx'
import { lazyComponent } from '../lazy-component.tsx'
import type { CodeDifferencesProps } from './code-differences.tsx'
import type { CodeEditorProps } from './code-mirror.tsx'

export type { CodeLanguage } from './code-language.ts'
export type { CodeEditorProps, EditorHandle } from './code-mirror.tsx'
export type { CodeFault } from './editor-faults.ts'

/** Source code to write: HTML, MJML, CSS, JSON or plain text, with Liquid marked. CodeMirror arrives when shown. */
export const CodeEditor = lazyComponent<CodeEditorProps>(
  async () => (await import('./code-mirror.tsx')).CodeMirrorEditor,
  editorSkeleton,
)

/** Source code to read: the source of a mail, an answer of the API. */
export function SourceView(props: Omit<CodeEditorProps, 'onChange' | 'isReadOnly'>): ReactNode {
  return <CodeEditor {...props} isReadOnly />
}

/** Two versions of a text, with what differs marked; the right one can be written when `onChange` is given. */
export const DiffEditor = lazyComponent<CodeDifferencesProps>(
  async () => (await import('./code-differences.tsx')).CodeMirrorDifferences,
  editorSkeleton,
)

function editorSkeleton({ height = 360 }: { height?: number | string }): ReactNode {
  return <BlockSkeleton height={height} />
}
