import { decodeBody, decodeText, decodeWords } from './decode-text.ts'

/** A MIME part of an inbound message, parsed leniently. */
export interface MimeEntity {
  /** Names in lower case; values unfolded, encoded words decoded, in order. */
  headers: Map<string, string[]>
  /** Lower case, e.g. `text/plain`. */
  type: string
  parameters: Map<string, string>
  children: MimeEntity[]
  /** Decoded body of a text part; '' for multiparts and other types. */
  text: string
}

const MAX_DEPTH = 8
const MAX_PARTS = 100
const MAX_TEXT = 256 * 1024
const MAX_HEADERS = 1_000

/**
 * Parses a message. Never throws: invalid structure becomes text. Depth, number of parts, headers and size of each
 * text are bounded.
 */
export function parseEntity(raw: Buffer): MimeEntity {
  return parsePart(toLatin1(raw), { left: MAX_PARTS }, 0, 'text/plain')
}

export function headerOf(entity: MimeEntity, name: string): string {
  return entity.headers.get(name)?.[0] ?? ''
}

/** Yields the entity and all its parts in order, including those of attached messages. */
export function* walk(entity: MimeEntity): Generator<MimeEntity> {
  yield entity
  for (const child of entity.children) yield* walk(child)
}

/** Yields the entity and its parts, without attached messages. */
export function* ownParts(entity: MimeEntity): Generator<MimeEntity> {
  yield entity
  if (!entity.type.startsWith('multipart/')) return
  for (const child of entity.children) yield* ownParts(child)
}

/** One character per byte, so that string functions can split boundaries and headers of any charset. */
function toLatin1(raw: Buffer): string {
  return raw
    .toString('latin1')
    .replace(/^(?:>?From [^\n]*\r?\n)+/, '')
    .replaceAll('\r\n', '\n')
}

function parsePart(source: string, budget: { left: number }, depth: number, defaultType: string): MimeEntity {
  budget.left--
  const { headers, body } = splitHeader(source)
  const { type, parameters } = parseContentType(headers.get('content-type')?.[0] ?? defaultType)
  const entity: MimeEntity = { headers, type, parameters, children: [], text: '' }
  const encoding = (headers.get('content-transfer-encoding')?.[0] ?? '').trim().toLowerCase()
  if (depth < MAX_DEPTH && type.startsWith('multipart/')) {
    const childType = type === 'multipart/digest' ? 'message/rfc822' : 'text/plain'
    for (const part of splitParts(body, parameters.get('boundary') ?? '')) {
      if (budget.left <= 0) break
      entity.children.push(parsePart(part, budget, depth + 1, childType))
    }
    if (entity.children.length > 0) return entity
  }
  const bytes = decodeBody(body.slice(0, MAX_TEXT), encoding)
  if (depth < MAX_DEPTH && budget.left > 0 && ATTACHED.test(type)) {
    entity.children.push(
      parsePart(bytes.toString('latin1').replaceAll('\r\n', '\n'), budget, depth + 1, 'text/plain'),
    )
    return entity
  }
  if (TEXTUAL.test(type))
    entity.text = decodeText(bytes, parameters.get('charset') ?? '').replaceAll('\r\n', '\n')
  return entity
}

const ATTACHED = /^(?:message\/(?:rfc822|global|global-headers)|text\/(?:rfc822|rfc822-headers))$/
const TEXTUAL = /^(?:text\/|message\/|multipart\/|application\/(?:json|xml))/

/** Splits at the first empty line. Lines before it that are not header fields are skipped. */
function splitHeader(source: string): { headers: Map<string, string[]>; body: string } {
  const headers = new Map<string, string[]>()
  if (source.startsWith('\n')) return { headers, body: source.slice(1) }
  const end = source.indexOf('\n\n')
  const block = end < 0 ? source : source.slice(0, end)
  let count = 0
  for (const line of block.slice(0, MAX_TEXT).replaceAll(FOLD, ' ').split('\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    if (name === '' || !/^[!-~]+$/.test(name) || ++count > MAX_HEADERS) continue
    const value = decodeWords(line.slice(colon + 1).trim())
    headers.set(name, [...(headers.get(name) ?? []), value])
  }
  return { headers, body: end < 0 ? '' : source.slice(end + 2) }
}

/** A folded line, or one that lost its indentation: a parameter at the start of a line. */
const FOLD = /\n(?:[ \t]+|(?=[\w*-]+="))/g

function parseContentType(value: string): { type: string; parameters: Map<string, string> } {
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(value.trim())?.[0].toLowerCase() ?? 'text/plain'
  const parameters = new Map<string, string>()
  for (const match of value.matchAll(/;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/g))
    parameters.set(match[1]!.toLowerCase(), (match[2] ?? match[3] ?? '').replaceAll(/\\(.)/g, '$1'))
  return { type, parameters }
}

/** Parts between the boundary lines. The closing boundary may be missing. */
function splitParts(body: string, boundary: string): string[] {
  if (boundary === '') return []
  const parts: string[] = []
  let start = -1
  const delimiter = `--${boundary}`
  for (let at = indexOfLine(body, delimiter, 0); at >= 0; at = indexOfLine(body, delimiter, at + 1)) {
    if (start >= 0) parts.push(body.slice(start, Math.max(start, at - 1)))
    const lineEnd = body.indexOf('\n', at)
    if (lineEnd < 0 || body.startsWith('--', at + delimiter.length)) {
      start = -1
      break
    }
    start = lineEnd + 1
    if (parts.length >= MAX_PARTS) return parts
  }
  if (start >= 0) parts.push(body.slice(start))
  return parts
}

/** Compares each line once: `indexOf` takes quadratic time for a long boundary. */
function indexOfLine(body: string, text: string, from: number): number {
  let at = from === 0 ? 0 : body.indexOf('\n', from - 1) + 1
  for (let isLine = from === 0 || at > 0; isLine; isLine = at > 0) {
    if (body.startsWith(text, at)) return at
    at = body.indexOf('\n', at) + 1
  }
  return -1
}
