import { type DefaultTreeAdapterMap, html } from 'parse5'
import type { MailFault } from '../mail-fault.ts'
import { buildBoundedTree } from '../template/html-structure.ts'
import type { FoundElement } from './found-element.ts'

/**
 * Finds the elements of HTML, as browsers build them (parse5). Elements that only the parser added are left out, and so
 * are those whose ranges overlap another element's (`<b><p></b></p>`).
 * @param blank source with Liquid replaced by spaces
 * @returns in document order, or the fault that makes the source editable as code only
 */
export function findElements(blank: string): FoundElement[] | MailFault {
  const built = buildBoundedTree(blank, true)
  if ('fault' in built) return built.fault
  const found = new Map<number, FoundElement>()
  const open: DefaultTreeAdapterMap['parentNode'][] = [built]
  for (let next = open.pop(); next; next = open.pop()) {
    for (const child of next.childNodes) {
      if (!('childNodes' in child)) continue
      open.push('content' in child ? child.content : child)
      const element = foundElement(child, blank)
      // A formatting element is repeated in later paragraphs; its ranges stay the same.
      if (element && !found.has(element.open.from)) found.set(element.open.from, element)
    }
  }
  return nested([...found.values()].toSorted((a, b) => a.open.from - b.open.from))
}

function foundElement(element: DefaultTreeAdapterMap['element'], blank: string): FoundElement | null {
  const place = element.sourceCodeLocation
  if (!place?.startTag) return null
  const { startTag, endTag } = place
  const open = { from: startTag.startOffset, to: startTag.endOffset }
  const name = element.tagName.toLowerCase()
  const isForeign = element.namespaceURI !== html.NS.HTML
  const hasContent = isForeign ? blank[open.to - 2] !== '/' : !voidElements.has(name)
  return {
    name,
    range: { from: open.from, to: hasContent ? Math.max(open.to, place.endOffset) : open.to },
    open,
    close: endTag ? { from: endTag.startOffset, to: endTag.endOffset } : null,
    hasContent,
  }
}

/** Elements without content and end tag (HTML standard, 13.1.2), with the obsolete ones its parser treats so. */
const voidElements = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
)

/** Without elements that end after an element around them; they would be in two places of the tree. */
function nested(found: readonly FoundElement[]): FoundElement[] {
  const kept: FoundElement[] = []
  const around: FoundElement[] = []
  for (const element of found) {
    while (around.length > 0 && around.at(-1)!.range.to <= element.range.from) around.pop()
    const parent = around.at(-1)
    const end = parent ? (parent.close?.from ?? parent.range.to) : Number.POSITIVE_INFINITY
    if (element.range.to > end) continue
    kept.push(element)
    around.push(element)
  }
  return kept
}
