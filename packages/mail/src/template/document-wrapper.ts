import type { Edit } from './html-edits.ts'
import { attribute, attributeText, type HtmlToken, type OpenTag } from './html-tokens.ts'
import { mask } from './scan-liquid.ts'

/**
 * Returns the edit that inserts the preheader: a hidden block at the start of the body, padded with invisible
 * characters so that the message text does not appear in the inbox preview.
 * @param preheader HTML (already escaped), may contain Liquid
 */
export function preheaderEdit(tokens: readonly HtmlToken[], preheader: string, visibleLength: number): Edit {
  const at = bodyStart(tokens)
  return {
    start: at,
    end: at,
    text: `<div style="${hiddenStyle}">${preheader}${padding(visibleLength)}</div>`,
  }
}

const hiddenStyle =
  'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all'

/** Inboxes show up to about 140 characters of preview text. */
const previewLength = 140

function padding(visibleLength: number): string {
  return '&#847;&zwnj;&nbsp;'.repeat(Math.max(0, Math.ceil((previewLength - visibleLength) / 2)))
}

/**
 * Returns the edit that inserts the open pixel, last in the body, so that a clipped message is not counted as opened.
 */
export function pixelEdit(tokens: readonly HtmlToken[], html: string, url: string): Edit {
  const at = bodyEnd(tokens, html)
  const style = 'display:block;width:1px;height:1px;border:0'
  return { start: at, end: at, text: `<img src="${url}" width="1" height="1" alt="" style="${style}">` }
}

/**
 * Returns the edits that declare UTF-8, the charset of every message: another declaration is replaced, a missing one
 * added if the document has a head.
 * @param masked the HTML with Liquid masked
 */
export function charsetEdits(tokens: readonly HtmlToken[], masked: string): Edit[] {
  const metas = tokens.filter(token => isOpen(token, 'meta'))
  const edits: Edit[] = []
  let declared = false
  for (const meta of metas) {
    const edit = charsetEdit(meta, masked)
    if (edit === null) continue
    declared = true
    if (edit) edits.push(edit)
  }
  if (declared) return edits
  const head = tokens.find(token => isOpen(token, 'head'))
  return head ? [{ start: head.end, end: head.end, text: '<meta charset="utf-8">' }] : []
}

/** Null: no charset declaration. Undefined: a correct one. */
function charsetEdit(meta: OpenTag, masked: string): Edit | null | undefined {
  const charset = attribute(meta, 'charset')
  if (charset?.value) {
    const name = attributeText(masked, charset)
    if (/^utf-?8$/i.test(name) || name.includes(mask)) return undefined
    return { start: charset.start, end: charset.end, text: 'charset="utf-8"' }
  }
  if (attributeText(masked, attribute(meta, 'http-equiv')).toLowerCase() !== 'content-type') return null
  const content = attribute(meta, 'content')
  if (!content) return null
  const type = attributeText(masked, content)
  if (/charset\s*=\s*utf-?8\b/i.test(type) || type.includes(mask)) return undefined
  return { start: content.start, end: content.end, text: 'content="text/html; charset=utf-8"' }
}

function bodyStart(tokens: readonly HtmlToken[]): number {
  const body = tokens.find(token => isOpen(token, 'body'))
  if (body) return body.end
  const head = tokens.find(token => token.type === 'close' && token.name === 'head' && !token.conditional)
  if (head) return head.end
  const html = tokens.find(token => isOpen(token, 'html'))
  if (html) return html.end
  // The doctype must stay first.
  const [first] = tokens
  return first?.type === 'comment' ? first.end : 0
}

function bodyEnd(tokens: readonly HtmlToken[], html: string): number {
  for (const name of ['body', 'html']) {
    const close = tokens.findLast(
      token => token.type === 'close' && token.name === name && !token.conditional,
    )
    if (close) return close.start
  }
  return html.length
}

function isOpen(token: HtmlToken, name: string): token is OpenTag {
  return token.type === 'open' && token.name === name && !token.conditional
}
