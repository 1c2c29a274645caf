import { type DarkClass, hasDarkClasses, readDarkClass } from './dark-classes.ts'
import { decodeEntities } from './html-entities.ts'
import { applyEdits, type Edit } from './html-edits.ts'
import { attribute, type HtmlToken, type OpenTag, tokenizeHtml } from './html-tokens.ts'
import { maskLiquid } from './scan-liquid.ts'

/**
 * Writes the rules of a mail's dark settings: for mail clients with `prefers-color-scheme` (Apple Mail, Thunderbird),
 * and for Outlook, which marks what it darkens with `data-ogsc` and `data-ogsb`. A mail without dark settings stays as
 * it is, byte for byte.
 * @param html a mail whose styles are inlined, with Liquid
 */
export function withDarkRules(html: string): string {
  if (!hasDarkClasses(html)) return html
  const masked = maskLiquid(html)
  const tokens = tokenizeHtml(masked)
  const { rules, edits } = darkClassesOf(html, tokens)
  if (rules.size === 0) return html
  const at = headEnd(tokens)
  const style = `<style>${darkStyle([...rules.values()])}</style>`
  return applyEdits(html, [...edits, { start: at, end: at, text: schemes(html, tokens) + style }])
}

/** Different settings of one mail; more are left out. */
const maxRules = 200

interface Rule extends DarkClass {
  className: string
}

/** Classes of images get a short name, since their URLs are no names of CSS. */
function darkClassesOf(
  html: string,
  tokens: readonly HtmlToken[],
): { rules: Map<string, Rule>; edits: Edit[] } {
  const rules = new Map<string, Rule>()
  const edits: Edit[] = []
  for (const token of tokens) {
    const value = token.type === 'open' ? attribute(token, 'class')?.value : undefined
    if (!value) continue
    const classes = html.slice(value.start, value.end)
    for (const { 0: written, index } of classes.matchAll(/emma-dark-[^\s"']+/g)) {
      const name = decodeEntities(written)
      const setting = readDarkClass(name)
      if (!setting || (rules.size >= maxRules && !rules.has(name))) continue
      const rule = rules.get(name) ?? {
        ...setting,
        className: setting.kind === 'image' ? `emma-dark-image-${rules.size}` : name,
      }
      rules.set(name, rule)
      if (rule.className === written) continue
      const start = value.start + index
      edits.push({ start, end: start + written.length, text: rule.className })
    }
  }
  return { rules, edits }
}

function darkStyle(rules: readonly Rule[]): string {
  const inDark = rules.map(rule => `${selectors(rule, '')}{${declaration(rule)}}`).join('')
  const outlook = rules.map(rule => `${selectors(rule, outlookMark(rule))}{${declaration(rule)}}`).join('')
  return `@media (prefers-color-scheme:dark){${inDark}}${outlook}`
}

function outlookMark({ kind }: Rule): string {
  return kind === 'text' || kind === 'image' ? '[data-ogsc] ' : '[data-ogsb] '
}

function selectors({ kind, className }: Rule, mark: string): string {
  return ends[kind].map(([before, after]) => `${mark}${before}.${className}${after}`).join(',')
}

/** Elements that a class changes, as what stands before and after it in a selector. */
const ends: Record<DarkClass['kind'], readonly [string, string][]> = {
  bg: [['', '']],
  block: [
    ['', ''],
    ['', '>div'],
    ['', '>table'],
    ['', '>table>tbody>tr>td'],
  ],
  button: [
    ['', '>table>tbody>tr>td'],
    ['', '>table>tbody>tr>td>a'],
    ['', '>table>tbody>tr>td>p'],
  ],
  text: [
    ['', ''],
    ['', ' *'],
  ],
  image: [
    ['img', ''],
    ['', ' img'],
  ],
}

function declaration({ kind, value }: Rule): string {
  switch (kind) {
    case 'text':
      return `color:${value}!important`
    case 'image':
      return `content:url("${value}")!important`
    default:
      return `background:${value}!important;background-color:${value}!important`
  }
}

/** Without this declaration Apple Mail ignores the rules, and inverts colors by itself. */
function schemes(html: string, tokens: readonly HtmlToken[]): string {
  const isDeclared = tokens.some(token => {
    const name = token.type === 'open' && token.name === 'meta' ? attribute(token, 'name')?.value : undefined
    return name && html.slice(name.start, name.end).toLowerCase() === 'color-scheme'
  })
  return isDeclared
    ? ''
    : '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">'
}

function headEnd(tokens: readonly HtmlToken[]): number {
  const close = tokens.find(token => token.type === 'close' && token.name === 'head' && !token.conditional)
  if (close) return close.start
  const before = tokens.find(
    (token): token is OpenTag =>
      token.type === 'open' && (token.name === 'body' || token.name === 'html') && !token.conditional,
  )
  if (before) return before.name === 'body' ? before.start : before.end
  // The doctype must stay first.
  const [first] = tokens
  return first?.type === 'comment' ? first.end : 0
}
