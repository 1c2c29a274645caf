import { type Piece, scanLiquid } from '../template/scan-liquid.ts'

/**
 * Position of a merged value in a URL: at the beginning, in the host (or while the host is incomplete), or after a
 * constant host.
 */
export type UrlPosition = 'start' | 'host' | 'rest'

/**
 * Rewrites the outputs of a URL so that their values are encoded for their position.
 * @param write returns the new output for the content of the brackets
 */
export function writeUrlValues(url: string, write: (value: string, position: UrlPosition) => string): string {
  let position: UrlPosition = 'start'
  let constant = ''
  let result = ''
  const blocks: UrlPosition[] = []
  for (const piece of scanLiquid(url)) {
    const original = url.slice(piece.start, piece.end)
    if (piece.type === 'output') {
      result += write(piece.content.trim(), position)
      if (position === 'start') position = 'host'
      continue
    }
    result += original
    if (piece.type === 'tag') position = positionAfterTag(piece, position, blocks)
    else {
      constant += original
      position = positionAfterText(constant, position)
    }
  }
  return result
}

function positionAfterText(constant: string, position: UrlPosition): UrlPosition {
  if (/^\s*(?:https?:\/\/[^/?#]+[/?#]|mailto:|tel:|sms:)/i.test(constant)) return 'rest'
  return constant.trim() === '' ? position : 'host'
}

/** Each branch starts at the position before the condition; after the condition, the position is unknown. */
function positionAfterTag(
  piece: Extract<Piece, { type: 'tag' }>,
  position: UrlPosition,
  blocks: UrlPosition[],
): UrlPosition {
  if (blockTags.has(piece.name)) {
    blocks.push(position)
    return position
  }
  if (branchTags.has(piece.name)) return blocks.at(-1) ?? position
  if (!piece.name.startsWith('end')) return position
  const before = blocks.pop() ?? position
  return before === 'rest' ? 'rest' : 'host'
}

const blockTags = new Set(['if', 'unless', 'case', 'for'])
const branchTags = new Set(['else', 'elsif', 'when'])

/** True if the last filter of an output has the name. */
export function endsWithFilter(value: string, name: string): boolean {
  return new RegExp(`\\|\\s*${name}\\s*$`).test(value)
}

export function withoutFilter(value: string, name: string): string {
  return value.replace(new RegExp(`\\|\\s*${name}\\s*$`), '').trim()
}
