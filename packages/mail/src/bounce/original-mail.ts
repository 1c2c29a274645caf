import { headerOf, type MimeEntity, parseEntity, walk } from './mime-entity.ts'

/** The remains of the message that a report is about. */
export interface OriginalMail {
  messageId: string
  headers: Readonly<Record<string, string>>
}

const MAX_VALUE = 2_000

/**
 * Finds the original message: attached in full, attached as header only, or quoted as text. Otherwise uses the
 * references of a reply.
 * @param quoted the end of the report's text, from where the original seems to begin, or ''
 */
export function findOriginal(report: MimeEntity, quoted: string): OriginalMail | null {
  for (const part of walk(report)) {
    const isAttached = part !== report && (part.headers.has('message-id') || part.headers.has('from'))
    if (isAttached) return toOriginal(part)
  }
  const start = quoted.search(HEADER_START)
  if (start >= 0) {
    const entity = parseEntity(Buffer.from(unquote(quoted.slice(start))))
    if (entity.headers.size > 1) return toOriginal(entity)
  }
  const reference =
    headerOf(report, 'in-reply-to') || headerOf(report, 'references').split(/\s+/).at(-1) || ''
  return reference === '' ? null : { messageId: bareId(reference), headers: {} }
}

/** A line that can only be the first of a header. */
const HEADER_START =
  /^(?:> ?)?(?:return-path|received|message-id|dkim-signature|x-[\w-]+|from|to|subject|date|mime-version|arc-seal): /im

function unquote(text: string): string {
  return text.startsWith('>') ? text.replaceAll(/^> ?/gm, '') : text
}

function toOriginal(entity: MimeEntity): OriginalMail {
  const headers: Record<string, string> = Object.create(null)
  for (const [name, [value = '']] of entity.headers) headers[name] = value.slice(0, MAX_VALUE)
  return { messageId: bareId(headerOf(entity, 'message-id')), headers }
}

function bareId(value: string): string {
  return /<([^<>\s]+)>/.exec(value)?.[1] ?? value.trim().split(/\s/, 1)[0] ?? ''
}
