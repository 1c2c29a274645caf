import { type ReactNode, Suspense, lazy } from 'react'
import { BlockSkeleton } from '../feedback/skeletons.tsx'
import type { CodeDifferencesProps } from './code-differences.tsx'
import type { CodeEditorProps } from './code-mirror.tsx'

export type { CodeEditorProps, CodeLanguage, EditorHandle } from './code-mirror.tsx'
export type { CodeFault } from './editor-faults.ts'

/** Source code to write: HTML, MJML, CSS, JSON or plain text, with Liquid marked. CodeMirror arrives when shown. */
export function CodeEditor(props: CodeEditorProps): ReactNode {
  return (
    <Suspense fallback={<BlockSkeleton height={props.height ?? 360} />}>
      <Editor {...props} />
    </Suspense>
  )
}

/** Source code to read: the source of a mail, an answer of the API. */
export function SourceView(props: Omit<CodeEditorProps, 'onChange' | 'isReadOnly'>): ReactNode {
  return <CodeEditor {...props} isReadOnly />
}

/** Two versions of a text, with what differs marked; the right one can be written when `onChange` is given. */
export function DiffEditor(props: CodeDifferencesProps): ReactNode {
  return (
    <Suspense fallback={<BlockSkeleton height={props.height ?? 360} />}>
      <Differences {...props} />
    </Suspense>
  )
}

const Differences = lazy(async () => ({
  default: (await import('./code-differences.tsx')).CodeMirrorDifferences,
}))
const Editor = lazy(async () => ({ default: (await import('./code-mirror.tsx')).CodeMirrorEditor }))
