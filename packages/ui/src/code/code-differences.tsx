import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, basicSetup } from 'codemirror'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useLanguage } from '../i18n.tsx'
import classes from './code.module.css'
import { languageOf } from './editor-language.ts'
import { editorLook } from './editor-look.ts'
import { editorPhrases } from './editor-phrases.ts'
import type { CodeLanguage } from './code-language.ts'

export interface CodeDifferencesProps {
  before: string
  after: string
  language: CodeLanguage
  /** Names of both versions: "Saved", "Yours". */
  labels: { before: string; after: string }
  /**
   * Makes the right version editable, with buttons to take over changes of the left one. Without it, both are
   * read-only.
   */
  onChange?: (after: string) => void
  height?: number | string
}

const together = {
  collapseUnchanged: { margin: 3, minSize: 6 },
  gutter: true,
  highlightChanges: true,
} as const

/** Diff of two texts: side by side, or inline on narrow screens. */
export function CodeMirrorDifferences(props: CodeDifferencesProps): ReactNode {
  const { before, after, language, labels, onChange, height = 360 } = props
  const screenLanguage = useLanguage()
  const isNarrow = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false })
  const host = useRef<HTMLDivElement>(null)
  const isEditable = onChange !== undefined
  const report = useEffectEvent((text: string) => onChange?.(text))
  const texts = useEffectEvent(() => ({ before, after, labels }))
  const view = useRef<EditorView>(null)
  useEffect(() => {
    const parent = host.current
    if (!parent) return undefined
    const given = texts()
    const side = (label: string, mayWrite: boolean): Extension[] => [
      basicSetup,
      EditorView.lineWrapping,
      editorLook,
      languageOf(language),
      editorPhrases(screenLanguage),
      EditorState.readOnly.of(!mayWrite),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      EditorView.updateListener.of(update => {
        if (mayWrite && update.docChanged) report(update.state.doc.toString())
      }),
    ]
    if (isNarrow) {
      const unified = new EditorView({
        parent,
        doc: given.after,
        extensions: [
          ...side(given.labels.after, isEditable),
          unifiedMergeView({ ...together, original: given.before, mergeControls: isEditable }),
        ],
      })
      view.current = unified
      return () => unified.destroy()
    }
    const merge = new MergeView({
      parent,
      ...together,
      ...(isEditable ? { revertControls: 'a-to-b' as const } : {}),
      a: { doc: given.before, extensions: side(given.labels.before, false) },
      b: { doc: given.after, extensions: side(given.labels.after, isEditable) },
    })
    view.current = merge.b
    return () => merge.destroy()
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another original is another comparison
  }, [isNarrow, isEditable, language, screenLanguage, before])

  useEffect(() => {
    const editor = view.current
    // The parent sets the text just typed: skipping it keeps the cursor position.
    if (!editor || editor.state.doc.toString() === after) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: after } })
  }, [after])

  return (
    <div className={classes.differences}>
      {!isNarrow && (
        <div className={classes.sides} aria-hidden>
          <span>{labels.before}</span>
          <span>{labels.after}</span>
        </div>
      )}
      <div ref={host} className={classes.editor} style={{ height }} />
    </div>
  )
}
