import { css } from '@codemirror/lang-css'
import { html } from '@codemirror/lang-html'
import { json } from '@codemirror/lang-json'
import type { Extension } from '@codemirror/state'
import type { CodeLanguage } from './code-language.ts'

/** Language extension of the editor. MJML is parsed as HTML with self-closing tags. */
export function languageOf(language: CodeLanguage): Extension {
  switch (language) {
    case 'html':
      return html({ matchClosingTags: false })
    case 'mjml':
      return html({ matchClosingTags: false, selfClosingTags: true })
    case 'css':
      return css()
    case 'json':
      return json()
    default:
      return []
  }
}
