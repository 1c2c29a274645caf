import type { ReactNode } from 'react'
import { BlockSkeleton } from '../feedback/skeletons.tsx'
import { lazyComponent } from '../lazy-component.tsx'
import type { CodeDifferencesProps } from './code-differences.tsx'
import type { CodeEditorProps } from './code-mirror.tsx'

export type { CodeLanguage } from './code-language.ts'
export type { CodeEditorProps, EditorHandle } from './code-mirror.tsx'
export type { CodeFault } from './editor-faults.ts'

/**
 * Source editor for HTML, MJML, CSS, JSON or plain text with highlighted Liquid. CodeMirror is loaded on first render.
 */
export const CodeEditor = lazyComponent<CodeEditorProps>(
  async () => (await import('./code-mirror.tsx')).CodeMirrorEditor,
  editorSkeleton,
)

/** Read-only source, e.g. of a message or an API response. */
export function SourceView(props: Omit<CodeEditorProps, 'onChange' | 'isReadOnly'>): ReactNode {
  return <CodeEditor {...props} isReadOnly />
}

/** Diff of two texts; the right one is editable if `onChange` is set. */
export const DiffEditor = lazyComponent<CodeDifferencesProps>(
  async () => (await import('./code-differences.tsx')).CodeMirrorDifferences,
  editorSkeleton,
)

function editorSkeleton({ height = 360 }: { height?: number | string }): ReactNode {
  return <BlockSkeleton height={height} />
}
