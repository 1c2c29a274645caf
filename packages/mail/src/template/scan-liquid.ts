import { Tokenizer, TypeGuards } from 'liquidjs'

/** A piece of a template: text, an output `{{ … }}` or a tag `{% … %}`; comment and raw blocks are one piece. */
export type Piece =
  | { type: 'text'; start: number; end: number }
  | { type: 'output'; start: number; end: number; content: string }
  | { type: 'tag'; start: number; end: number; name: string; content: string }

/**
 * Splits a source into contiguous pieces, as liquidjs parses it.
 * @throws liquidjs' TokenizationError for an unclosed `{{` or `{%`
 */
export function scanLiquid(source: string): Piece[] {
  const pieces: Piece[] = []
  for (const token of new TextTokenizer(source).readTopLevelTokens()) {
    const { begin: start, end } = token
    if (TypeGuards.isTagToken(token))
      pieces.push({ type: 'tag', start, end, name: token.name, content: token.content })
    else if (TypeGuards.isOutputToken(token))
      pieces.push({ type: 'output', start, end, content: token.content })
    else pieces.push({ type: 'text', start, end })
  }
  return joinBlocks(joinBlocks(pieces, 'raw', 'endraw'), 'comment', 'endcomment')
}

/** Finds the end of a text by a search; liquidjs compares at each character, which takes a fifth of a compilation. */
class TextTokenizer extends Tokenizer {
  override readHTMLToken(stopStrings: string[]): ReturnType<Tokenizer['readHTMLToken']> {
    const begin = this.p
    openingBracket.lastIndex = begin
    this.p = openingBracket.exec(this.input)?.index ?? this.N
    const token = super.readHTMLToken(stopStrings)
    token.begin = begin
    return token
  }
}

const openingBracket = /\{[{%]/g

/** The content of comment and raw blocks is not parsed. */
function joinBlocks(pieces: Piece[], open: string, close: string): Piece[] {
  const joined: Piece[] = []
  let last = -1
  for (const [at, piece] of pieces.entries()) {
    if (at <= last) continue
    joined.push(piece)
    if (!isTag(piece, open)) continue
    let end = at + 1
    while (end < pieces.length && !isTag(pieces[end]!, close)) end++
    // An unclosed block is reported elsewhere; nothing after it is a block.
    if (end === pieces.length) return [...joined, ...pieces.slice(at + 1)]
    joined[joined.length - 1] = { ...piece, end: pieces[end]!.end }
    last = end
  }
  return joined
}

function isTag(piece: Piece, name: string): boolean {
  return piece.type === 'tag' && piece.name === name
}

/** Replaces Liquid in masked text; a private-use character, so markup does not contain it by accident. */
export const mask = '\ue000'

/**
 * Replaces every Liquid piece character by character: offsets stay, and quotes and angle brackets inside Liquid do
 * not confuse an HTML tokenizer.
 */
export function maskLiquid(source: string, pieces: readonly Piece[] = scanLiquid(source)): string {
  let masked = ''
  for (const { type, start, end } of pieces) {
    masked += type === 'text' ? source.slice(start, end).replaceAll(mask, '?') : mask.repeat(end - start)
  }
  return masked
}

/** Text whose Liquid was replaced by words that other programs leave unchanged, and the reverse mapping. */
export interface Protected {
  text: string
  restore: (text: string) => string
  /** Word of a piece, by the piece's start. */
  words: ReadonlyMap<number, string>
}

/** Replaces every Liquid piece by a word of letters and digits that XML, CSS and HTML processors leave unchanged. */
export function protectLiquid(source: string, pieces: readonly Piece[] = scanLiquid(source)): Protected {
  const prefix = freePrefix(source)
  const originals: string[] = []
  const words = new Map<number, string>()
  let text = ''
  for (const piece of pieces) {
    const original = source.slice(piece.start, piece.end)
    if (piece.type === 'text') {
      text += original
      continue
    }
    const word = `${prefix}${originals.length}x`
    originals.push(original)
    words.set(piece.start, word)
    text += word
  }
  const find = new RegExp(`${prefix}(\\d+)x`, 'gi')
  return {
    text,
    words,
    restore: changed => changed.replaceAll(find, (whole, index: string) => originals[Number(index)] ?? whole),
  }
}

function freePrefix(source: string): string {
  const lower = source.toLowerCase()
  let prefix = 'liqz'
  while (lower.includes(prefix)) prefix += 'z'
  return prefix
}
