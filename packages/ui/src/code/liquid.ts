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

/** Highlights `{{ … }}` and `{% … %}` in any language, and completes placeholders inside. */
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

/** View plugin: CodeMirror creates one instance per view and updates it with the text. */
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
