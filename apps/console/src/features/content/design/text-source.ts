import { parseTemplate } from '@emma/mail/edit/parse-template.ts'
import { scanPieces } from '@emma/mail/edit/scan-source.ts'
import { tokenizeHtml } from '@emma/mail/template/html-tokens.ts'
import { maskLiquid } from '@emma/mail/template/scan-liquid.ts'

/** Attribute of a placeholder in editable text: its source. */
const LIQUID = 'data-liquid'
/** Stands for Liquid while HTML is parsed and serialized; a private-use character, which no mail contains. */
const HELD = '\ue001'
const held = new RegExp(`${HELD}(\\d+)${HELD}`, 'g')

/** Text that is edited in place. */
export interface EditableText {
  /** Returns the source of the text as it is now: what was not changed keeps its spelling. */
  source: () => string
}

/**
 * Shows the source of a text as editable content: HTML, with each placeholder as one piece that is deleted as a whole.
 * @returns null if the content cannot be edited as text
 */
export function showEditable(root: Element, source: string): EditableText | null {
  const parts = partsOf(source)
  if (!parts) return null
  const liquid: string[] = []
  const originals = new Map<Node, { source: string; copy: Node }>()
  root.replaceChildren()
  for (const part of parts) {
    const template = root.ownerDocument.createElement('template')
    template.innerHTML = withPlaceholders(part, liquid)
    const [node, ...more] = template.content.childNodes
    root.append(template.content)
    if (node && more.length === 0) originals.set(node, { source: part, copy: node.cloneNode(true) })
  }
  return {
    source: () =>
      [...root.childNodes]
        .map(node => {
          const original = originals.get(node)
          return original?.copy.isEqualNode(node) ? original.source : sourceOf(node, liquid)
        })
        .join(''),
  }
}

/** A placeholder for inserting into editable text. */
export function placeholderHtml(liquid: string): string {
  const element = document.createElement('span')
  element.setAttribute(LIQUID, liquid)
  element.setAttribute('contenteditable', 'false')
  element.textContent = labelOf(liquid)
  return element.outerHTML
}

/** Splits a source into elements, placeholders and text between them. Joined they are the source. */
function partsOf(source: string): string[] | null {
  const tree = parseTemplate(source, { format: 'html' })
  if (tree.type === 'code') return null
  const cuts = new Set([0, source.length])
  const elements = tree.roots.filter(node => node.type === 'element').map(({ range }) => range)
  for (const { from, to } of elements) cuts.add(from).add(to)
  for (const piece of tree.pieces) {
    const isInside = elements.some(({ from, to }) => piece.start < to && piece.end > from)
    if (piece.type !== 'text' && !isInside) cuts.add(piece.start).add(piece.end)
  }
  const places = [...cuts].toSorted((a, b) => a - b)
  return places.slice(1).map((end, index) => source.slice(places[index], end))
}

/**
 * Placeholders between tags become elements; those inside of tags are replaced by their number in `liquid`, because
 * their quotes are no quotes of HTML.
 */
function withPlaceholders(source: string, liquid: string[]): string {
  const pieces = scanPieces(source)
  if (pieces.every(({ type }) => type === 'text')) return source
  const texts = tokenizeHtml(maskLiquid(source, pieces)).filter(token => token.type === 'text' && !token.raw)
  return pieces
    .map(({ type, start, end }) => {
      const text = source.slice(start, end)
      if (type === 'text') return text
      if (texts.some(token => token.start <= start && end <= token.end)) return placeholderHtml(text)
      return `${HELD}${liquid.push(text) - 1}${HELD}`
    })
    .join('')
}

/** `{{ member.firstname | default: "you" }}` as `member.firstname`. */
function labelOf(liquid: string): string {
  const path = /^\{\{-?([^|}]*)/.exec(liquid)?.[1]?.trim()
  return path || liquid.replaceAll(/^\{%-?\s*|\s*-?%\}$/g, '')
}

function sourceOf(node: Node, liquid: readonly string[]): string {
  const holder = document.createElement('div')
  holder.append(document.importNode(node, true))
  const all = [...liquid]
  for (const placeholder of holder.querySelectorAll(`[${LIQUID}]`))
    placeholder.replaceWith(`${HELD}${all.push(placeholder.getAttribute(LIQUID) ?? '') - 1}${HELD}`)
  return holder.innerHTML.replaceAll(held, (_, index: string) => all[Number(index)] ?? '')
}
