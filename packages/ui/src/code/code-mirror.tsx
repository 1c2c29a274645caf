import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, basicSetup } from 'codemirror'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import classes from './code.module.css'
import { editorLook } from './editor-look.ts'
import { languageOf } from './editor-language.ts'
import { liquid } from './liquid.ts'

export type CodeLanguage = 'html' | 'mjml' | 'css' | 'json' | 'text'

export interface CodeEditorProps {
  value: string
  onChange?: (value: string) => void
  language: CodeLanguage
  /** Name for screen readers. */
  label: string
  isReadOnly?: boolean
  /** In px, or any CSS height. */
  height?: number | string
  /** Offered between `{{` and `}}`: `member.firstname`, `link.unsubscribe`. */
  placeholders?: readonly string[]
  hasError?: boolean
}

/** CodeMirror in the kit's look. Tab moves the focus on, as everywhere: nobody is trapped in it. */
export function CodeMirrorEditor(props: CodeEditorProps): ReactNode {
  const { value, onChange, language, label, isReadOnly = false, height = 360, placeholders, hasError } = props
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView>(null)
  const parts = useRef({ language: new Compartment(), access: new Compartment(), liquid: new Compartment() })
  const report = useEffectEvent((text: string) => onChange?.(text))
  const initial = useEffectEvent(() => ({ value, language, isReadOnly, placeholders, label }))

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
          EditorView.lineWrapping,
          editorLook,
          // The tab stop is said in so many words for checkers that do not know editable regions have one.
          EditorView.contentAttributes.of({ 'aria-label': begin.label, tabindex: '0' }),
          EditorView.updateListener.of(update => {
            if (update.docChanged) report(update.state.doc.toString())
          }),
          parts.current.language.of(languageOf(begin.language)),
          parts.current.access.of(accessOf(begin.isReadOnly)),
          parts.current.liquid.of(liquid(begin.placeholders ?? [])),
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
    // What the person just typed comes back as the same text: the cursor stays where it is.
    if (!view || view.state.doc.toString() === value) return
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
    // Still focusable when read-only, so that the keyboard scrolls and copies.
    EditorView.editable.of(!isReadOnly),
    isReadOnly ? EditorView.contentAttributes.of({ 'aria-readonly': 'true' }) : [],
  ]
}
