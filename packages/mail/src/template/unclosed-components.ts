import { mailFault } from '../mail-fault.ts'
import { type CloseTag, type HtmlToken, type OpenTag, tokenizeHtml } from './html-tokens.ts'
import { contentComponents } from './mjml-content.ts'
import { errorAt, type ParsedPart } from './parse-part.ts'
import { mask, maskLiquid } from './scan-liquid.ts'
import { originOf } from './source-map.ts'
import type { TemplateError } from './template-error.ts'

/** Errors of one source; more add nothing. */
const maxErrors = 20

/**
 * Finds the components whose missing end makes MJML lose content without a word: texts, which take in what follows, and
 * the last open one of a source that ends early. Other components end with the one around them.
 */
export function findUnclosed(source: string, parsed: ParsedPart): TemplateError[] {
  const tags = unclosedTags(tokenizeHtml(maskLiquid(parsed.text, parsed.pieces)))
  return tags.slice(0, maxErrors).map(({ name, start }) => {
    const fault = mailFault('content.mjml_unclosed', { tag: name, end: `</${name}>` })
    return errorAt('html', source, originOf(parsed.marks, start), fault)
  })
}

function unclosedTags(tokens: readonly HtmlToken[]): OpenTag[] {
  const unclosed: OpenTag[] = []
  const open: OpenTag[] = []
  for (const token of tokens) {
    if (!isComponent(token)) continue
    const around = open.at(-1)
    const isInText = around !== undefined && contentComponents.has(around.name)
    if (token.type === 'open') {
      if (isInText) unclosed.push(open.pop()!)
      if (!token.selfClosing) open.push(token)
      continue
    }
    // Liquid inside of an end tag has an error of its own.
    const [closed] = token.name.split(mask)
    const at = open.findLastIndex(({ name }) => name === closed)
    if (at === -1) continue
    unclosed.push(...open.splice(at + 1).filter(({ name }) => contentComponents.has(name)))
    open.pop()
  }
  const last = open.at(-1)
  return last ? [...unclosed, last] : unclosed
}

function isComponent(token: HtmlToken): token is OpenTag | CloseTag {
  return (
    (token.type === 'open' || token.type === 'close') && !token.conditional && /^mj(?:ml$|-)/.test(token.name)
  )
}
