import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Theme of the editor by CSS variables, which cover light and dark. */
const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--mantine-color-text)', backgroundColor: 'var(--emma-ground)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '13px', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--emma-accent)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--emma-accent)', borderLeftWidth: '2px' },
  '.cm-gutters': {
    color: 'var(--mantine-color-dimmed)',
    backgroundColor: 'var(--emma-ground-sunken)',
    borderRight: '1px solid var(--emma-line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--mantine-color-text) 4%, transparent)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--emma-accent) 22%, transparent)',
  },
  '.cm-liquid': {
    // Readable on the backgrounds of faults and changes, too.
    color: 'color-mix(in srgb, var(--emma-link) 75%, var(--mantine-color-text))',
    backgroundColor: 'color-mix(in srgb, var(--emma-accent) 10%, transparent)',
    borderRadius: '3px',
  },
  '.cm-liquid *': { color: 'inherit' },
  '.cm-panels, .cm-tooltip': {
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--emma-ground-raised)',
    border: '1px solid var(--emma-line-strong)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--mantine-color-white)',
    backgroundColor: 'var(--mantine-primary-color-filled)',
  },
  '.cm-textfield, .cm-button': {
    color: 'inherit',
    background: 'var(--emma-ground)',
    border: '1px solid var(--emma-line-control)',
    borderRadius: '4px',
  },
})

const highlights = HighlightStyle.define([
  { tag: [tags.tagName, tags.keyword], color: 'var(--emma-code-tag)' },
  { tag: [tags.attributeName, tags.propertyName], color: 'var(--emma-code-name)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--emma-code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.color, tags.unit], color: 'var(--emma-code-number)' },
  { tag: [tags.comment, tags.docComment], color: 'var(--mantine-color-dimmed)', fontStyle: 'italic' },
  { tag: [tags.angleBracket, tags.bracket, tags.punctuation], color: 'var(--mantine-color-dimmed)' },
  { tag: tags.invalid, color: 'var(--emma-negative)' },
])

export const editorLook: Extension = [theme, syntaxHighlighting(highlights)]
