import { tokenizeHtml } from '../template/html-tokens.ts'
import type { NodeAttribute, SourceRange } from './template-tree.ts'

/** An element as a parser found it, before nodes are built. */
export interface FoundElement {
  name: string
  range: SourceRange
  open: SourceRange
  close: SourceRange | null
  hasContent: boolean
}

/**
 * Returns the attributes of an open tag with their ranges.
 * @param masked source with Liquid masked
 */
export function readAttributes(
  source: string,
  masked: string,
  { from, to }: SourceRange,
  isCaseSensitive: boolean,
): NodeAttribute[] {
  const [tag] = tokenizeHtml(masked.slice(from, to))
  if (tag?.type !== 'open') return []
  return tag.attributes.map(({ name, start, end, value }) => ({
    name: isCaseSensitive ? source.slice(from + start, from + start + name.length) : name,
    range: { from: from + start, to: from + end },
    value: value && { from: from + value.start, to: from + value.end, quote: value.quote },
  }))
}
