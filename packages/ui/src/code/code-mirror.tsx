import { jsonParseLinter } from '@codemirror/lang-json'
import { lintGutter, linter, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, basicSetup } from 'codemirror'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react'
import { useLanguage } from '../i18n.tsx'
import classes from './code.module.css'
import { type CodeFault, diagnosticsOf, faultLines, offsetOf } from './editor-faults.ts'
import { editorLook } from './editor-look.ts'
import { languageOf } from './editor-language.ts'
import { editorPhrases } from './editor-phrases.ts'
import { lineEnds } from './line-ends.ts'
import { liquid } from './liquid.ts'
import type { CodeLanguage } from './code-language.ts'

/** Imperative handle of an editor. */
export interface EditorHandle {
  /** Inserts text at the cursor, replacing the selection. */
  insert: (text: string) => void
  /** Moves the cursor to a position and scrolls it into view. */
  goTo: (place: { line: number; column: number }) => void
}

export interface CodeEditorProps {
  value: string
  onChange?: (value: string) => void
  language: CodeLanguage
  /** Accessible name. */
  label: string
  isReadOnly?: boolean
  /** In px, or any CSS height. */
  height?: number | string
  /** Completions between `{{` and `}}`: `member.firstname`, `link.unsubscribe`. */
  placeholders?: readonly string[]
  hasError?: boolean
  /** Faults marked at their positions. */
  faults?: readonly CodeFault[]
  handle?: RefObject<EditorHandle | null>
}

/** CodeMirror with the kit's styles. Tab moves the focus on, so that keyboard users are not trapped. */
export function CodeMirrorEditor(props: CodeEditorProps): ReactNode {
  const { value, onChange, language, label, isReadOnly = false, height = 360, placeholders, hasError } = props
  const { faults, handle } = props
  const screenLanguage = useLanguage()
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView>(null)
  const parts = useRef({
    language: new Compartment(),
    access: new Compartment(),
    liquid: new Compartment(),
    faults: new Compartment(),
  })
  const report = useEffectEvent((text: string) => onChange?.(text))
  const initial = useEffectEvent(() => ({ value, language, isReadOnly, placeholders, label, screenLanguage }))

  useEffect(() => {
    const element = host.current
    if (!element) return undefined
    const begin = initial()
    const view = new EditorView({
      parent: element,
      state: EditorState.create({
        doc: begin.value,
        extensions: [
          basicSetup,
          lineEnds(begin.value),
          EditorView.lineWrapping,
          editorLook,
          // Redundant, but accessibility checkers do not recognize that editable regions are focusable.
          EditorView.contentAttributes.of({ 'aria-label': begin.label, tabindex: '0' }),
          EditorView.updateListener.of(update => {
            if (update.docChanged) report(update.state.sliceDoc())
          }),
          parts.current.language.of(languageOf(begin.language)),
          parts.current.access.of(accessOf(begin.isReadOnly)),
          parts.current.liquid.of(liquid(begin.placeholders ?? [])),
          parts.current.faults.of([]),
          editorPhrases(begin.screenLanguage),
          // Only JSON is linted here; faults of other languages come from the server.
          begin.language === 'json' && !begin.isReadOnly ? [lintGutter(), linter(jsonParseLinter())] : [],
        ],
      }),
    })
    editor.current = view
    return () => {
      view.destroy()
      editor.current = null
    }
  }, [])

  useEffect(() => {
    const view = editor.current
    // The parent sets the text just typed: skipping it keeps the cursor position.
    if (!view || view.state.sliceDoc() === value) return
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } })
  }, [value])

  useEffect(() => {
    const { language: languagePart, access, liquid: liquidPart } = parts.current
    editor.current?.dispatch({
      effects: [
        languagePart.reconfigure(languageOf(language)),
        access.reconfigure(accessOf(isReadOnly)),
        liquidPart.reconfigure(liquid(placeholders ?? [])),
      ],
    })
  }, [language, isReadOnly, placeholders])

  useEffect(() => {
    const view = editor.current
    if (!view || faults === undefined) return
    view.dispatch({
      effects: parts.current.faults.reconfigure([lintGutter(), faultLines(view.state, faults)]),
    })
    view.dispatch(setDiagnostics(view.state, diagnosticsOf(view.state, faults)))
  }, [faults])

  useImperativeHandle(handle, () => ({
    insert: text => {
      const view = editor.current
      if (!view) return
      view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true })
      view.focus()
    },
    goTo: place => {
      const view = editor.current
      if (!view) return
      view.dispatch({ selection: { anchor: offsetOf(view.state, place) }, scrollIntoView: true })
      view.focus()
    },
  }))

  return (
    <div
      ref={host}
      className={classes.editor}
      data-readonly={isReadOnly || undefined}
      data-faulty={hasError || undefined}
      style={{ height }}
    />
  )
}

function accessOf(isReadOnly: boolean): Extension {
  return [
    EditorState.readOnly.of(isReadOnly),
    // Focusable even if read-only, for scrolling and copying by keyboard.
    EditorView.editable.of(!isReadOnly),
    isReadOnly ? EditorView.contentAttributes.of({ 'aria-readonly': 'true' }) : [],
  ]
}
