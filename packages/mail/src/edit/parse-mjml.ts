import { Parser } from 'htmlparser2'
import { mailFault, type MailFault } from '../mail-fault.ts'
import { MAX_ELEMENT_DEPTH } from '../template/html-structure.ts'
import { contentComponents } from '../template/mjml-content.ts'
import type { FoundElement } from './found-element.ts'

/**
 * Finds the components of MJML with htmlparser2 and the options of MJML's own parser (mjml-parser-xml 5.4.1), so that
 * both see the same components. What is inside a content component (mj-text, mj-table …) is its content.
 * @param blank source with Liquid replaced by spaces
 * @returns in document order, or the fault that makes the source editable as code only
 */
export function findComponents(blank: string): FoundElement[] | MailFault {
  const found: FoundElement[] = []
  const open: (FoundElement | null)[] = []
  let inContent = 0
  const parser: PlacingParser = new PlacingParser(
    {
      onopentag(name, _, isImplied) {
        if (open.length >= MAX_ELEMENT_DEPTH) throw new TooDeep()
        const isInside = inContent > 0
        if (contentComponents.has(name)) inContent++
        open.push(isInside || isImplied ? null : foundAt(name, parser.tagStart, parser.endIndex + 1))
        const element = open.at(-1)
        if (element) found.push(element)
      },
      onclosetag(name, isImplied) {
        if (contentComponents.has(name)) inContent--
        const element = open.pop()
        if (element) closeElement(element, parser.tagStart, isImplied, blank)
      },
    },
    {
      recognizeCDATA: true,
      decodeEntities: false,
      recognizeSelfClosing: true,
      lowerCaseAttributeNames: false,
    },
  )
  try {
    parser.end(blank)
  } catch (error) {
    if (error instanceof TooDeep) return mailFault('content.mjml_deep')
    throw error
  }
  return found.some(({ name }) => name.startsWith('mj')) ? found : mailFault('content.mjml_incomplete')
}

/** htmlparser2 takes quadratic time for the depth. */
class TooDeep extends Error {}

/** Parser that knows where the current tag begins: `startIndex` can be in the white space of an end tag before it. */
class PlacingParser extends Parser {
  tagStart = 0

  override onopentagname(start: number, endIndex: number): void {
    this.tagStart = start - 1
    super.onopentagname(start, endIndex)
  }

  override onclosetag(start: number, endIndex: number): void {
    this.tagStart = start - 2
    super.onclosetag(start, endIndex)
  }

  override onend(): void {
    this.tagStart = Number.POSITIVE_INFINITY
    super.onend()
  }
}

function foundAt(name: string, from: number, to: number): FoundElement {
  return { name, range: { from, to }, open: { from, to }, close: null, hasContent: true }
}

/** @param at where the end tag begins, or what implies it */
function closeElement(element: FoundElement, at: number, isImplied: boolean, blank: string): void {
  if (at === element.open.from) {
    element.hasContent = false
    return
  }
  element.range.to = Math.min(at, blank.length)
  if (isImplied) return
  const end = blank.indexOf('>', at)
  element.close = { from: at, to: end === -1 ? blank.length : end + 1 }
  element.range.to = element.close.to
}
