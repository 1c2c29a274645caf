import { mailFault, type MailFault } from '../mail-fault.ts'
import { type DefaultTreeAdapterMap, defaultTreeAdapter, Parser, type TreeAdapter } from 'parse5'

/** Why HTML builds an excessive tree, and the offset of the tag where it does. */
export interface StructureFault {
  offset: number
  fault: MailFault
}

/**
 * Maximum depth of nested elements. Messages have a few dozen levels; the CSS inliner crashes with a stack overflow
 * between 4,000 and 20,000 (measured with css-inline 0.20.1), and programs that build trees take quadratic time.
 */
export const MAX_ELEMENT_DEPTH = 400

/** Elements of the tree per tag: formatting elements left open are repeated in all following paragraphs. */
const ELEMENTS_PER_TAG = 2
const FREE_ELEMENTS = 10_000

/** Attributes are repeated with their elements. */
const ATTRIBUTES_PER_LENGTH = 3
const FREE_ATTRIBUTES = 100_000

/**
 * Builds the tree of an HTML part by the HTML standard (13.2.6) until it exceeds the depth or size that later steps
 * can handle. Counting tags would not suffice: unmatched end tags, foreign content and the adoption agency algorithm
 * determine the depth and how often a formatting element is repeated.
 * @param masked HTML with Liquid masked
 * @returns null if the tree is within the limits
 */
export function findStructureFault(masked: string): StructureFault | null {
  const built = buildBoundedTree(masked)
  return 'fault' in built ? built : null
}

/**
 * Builds the tree as `findStructureFault` does.
 * @param hasRanges true if the elements get their source ranges (`sourceCodeLocation`)
 */
export function buildBoundedTree(
  masked: string,
  hasRanges = false,
): DefaultTreeAdapterMap['document'] | StructureFault {
  const parser: BoundedParser = new BoundedParser(masked, hasRanges)
  try {
    parser.tokenizer.write(masked, true)
    return depthOf(parser.document) > MAX_ELEMENT_DEPTH ? parser.fault(TOO_DEEP) : parser.document
  } catch (error) {
    if (error instanceof TooLarge) return parser.fault(error.fault)
    throw error
  }
}

const TOO_DEEP = mailFault('content.html_deep')
const TOO_MANY = mailFault('content.html_unclosed')

class TooLarge extends Error {
  readonly fault: MailFault

  constructor(fault: MailFault) {
    super(fault.message)
    this.fault = fault
  }
}

type Adapter = TreeAdapter<DefaultTreeAdapterMap>

class BoundedParser extends Parser<DefaultTreeAdapterMap> {
  readonly #html: string
  #tags = 0
  #elements = 0
  #attributes = 0

  constructor(html: string, sourceCodeLocationInfo: boolean) {
    const createElement: Adapter['createElement'] = (name, namespace, attributes) => {
      this.#count(attributes)
      return defaultTreeAdapter.createElement(name, namespace, attributes)
    }
    super({
      treeAdapter: { ...defaultTreeAdapter, createElement },
      scriptingEnabled: false,
      sourceCodeLocationInfo,
    })
    this.#html = html
  }

  override onStartTag(token: Parameters<Parser<DefaultTreeAdapterMap>['onStartTag']>[0]): void {
    this.#tags++
    // The CSS inliner gets numbered elements, and the standard repeats more than three of a kind if their attributes
    // differ.
    token.attrs.push({ name: 'number', value: String(this.#tags) })
    super.onStartTag(token)
  }

  /** A fault at the current tag. */
  fault(fault: MailFault): StructureFault {
    const { offset } = this.tokenizer.preprocessor
    return { offset: Math.max(0, this.#html.lastIndexOf('<', offset)), fault }
  }

  #count(attributes: readonly { name: string; value: string }[]): void {
    this.#elements++
    for (const { name, value } of attributes) this.#attributes += name.length + value.length
    if (this.openElements.stackTop >= MAX_ELEMENT_DEPTH) throw new TooLarge(TOO_DEEP)
    if (this.#elements > ELEMENTS_PER_TAG * this.#tags + FREE_ELEMENTS) throw new TooLarge(TOO_MANY)
    if (this.#attributes > ATTRIBUTES_PER_LENGTH * this.#html.length + FREE_ATTRIBUTES)
      throw new TooLarge(TOO_MANY)
  }
}

/** Iterative, since the depth is unbounded. */
function depthOf(document: DefaultTreeAdapterMap['document']): number {
  let deepest = 0
  const open: { node: DefaultTreeAdapterMap['parentNode']; depth: number }[] = [{ node: document, depth: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    deepest = Math.max(deepest, next.depth)
    for (const child of next.node.childNodes)
      if ('childNodes' in child) open.push({ node: child, depth: next.depth + 1 })
  }
  return deepest
}
