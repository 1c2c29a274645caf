import { type CompletionContext, type CompletionResult, autocompletion } from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'

/** Marks `{{ … }}` and `{% … %}` whatever stands around them, and offers placeholders within. */
export function liquid(placeholders: readonly string[]): Extension {
  const marks = ViewPlugin.define(view => new LiquidMarks(view), {
    decorations: marked => marked.decorations,
  })
  if (placeholders.length === 0) return marks
  return [marks, autocompletion({ override: [context => complete(context, placeholders)] })]
}

const decorator = new MatchDecorator({
  regexp: /\{\{.*?\}\}|\{%.*?%\}/g,
  decoration: Decoration.mark({ class: 'cm-liquid' }),
})

/** A class because CodeMirror keeps one per view and asks it to follow the text. */
class LiquidMarks {
  decorations: DecorationSet

  constructor(view: EditorView) {
    this.decorations = decorator.createDeco(view)
  }

  update(update: ViewUpdate): void {
    this.decorations = decorator.updateDeco(update, this.decorations)
  }
}

function complete(context: CompletionContext, placeholders: readonly string[]): CompletionResult | null {
  const open = context.matchBefore(/\{\{\s*[\w.]*/)
  if (!open) return null
  const typed = /[\w.]*$/.exec(open.text)?.[0] ?? ''
  return {
    from: context.pos - typed.length,
    options: placeholders.map(label => ({ label, type: 'variable' })),
    validFor: /^[\w.]*$/,
  }
}
