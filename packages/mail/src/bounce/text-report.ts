import { headerOf, type MimeEntity } from './mime-entity.ts'
import { addressIn } from './report-fields.ts'

/** Lines of a report in prose about one recipient. */
export interface TextReport {
  address: string
  words: string
}

const MAX_RECIPIENTS = 100

/**
 * Parses recipients out of prose. A line that clearly names a recipient opens a block that ends at the next such
 * line; blocks of the same address (list of recipients, then transcript) are joined. Without such a line, the first
 * address that is not the sender's is used.
 */
export function readTextReports(report: MimeEntity, text: string): TextReport[] {
  const senders = senderAddresses(report, text)
  const blocks = splitBlocks(text, senders)
  const listed = headerOf(report, 'x-failed-recipients')
  if (listed !== '') return fromList(listed, blocks, text)
  if (blocks.size > 0) return [...blocks.values()].slice(0, MAX_RECIPIENTS)
  const first = text.match(ADDRESSES)?.find(address => !senders.has(fold(address)) && !isRole(address))
  return first === undefined ? [] : [{ address: first, words: text }]
}

/** Failed recipients listed in the header by Exim and Gmail, each with its block. */
function fromList(listed: string, blocks: ReadonlyMap<string, TextReport>, text: string): TextReport[] {
  const addresses = listed
    .split(',')
    .map(value => addressIn(value))
    .filter(value => value.includes('@'))
  return addresses.slice(0, MAX_RECIPIENTS).map(address => ({
    address,
    words: blocks.get(fold(address))?.words ?? (addresses.length === 1 ? text : ''),
  }))
}

const ADDRESS = String.raw`[^\s<>()[\]"',:;@]{1,64}@[A-Za-z0-9][A-Za-z0-9.-]{0,251}[A-Za-z0-9]`
const ADDRESSES = new RegExp(ADDRESS, 'g')

/** Forms of a line that is about a recipient, in any language. */
const OPENERS = [
  // The address alone, or followed by punctuation or a date.
  String.raw`^[\s>*"'(]*(?:(?:smtp|mailto|rfc822|to)[:;]\s*)?<?(${ADDRESS})>?[\s"')]*(?:[:;.,]+|on .{6,40})?\s*$`,
  String.raw`^[\s>]*(${ADDRESS})\s+<[^<>]+>\s*$`,
  // The address, then the event.
  String.raw`^[\s>*-]*<(${ADDRESS})>[\s:.,]+\S`,
  String.raw`^[\s>*-]*(${ADDRESS})\s*(?:\([^()]{0,40}\)\s*)?(?::|\.\.\.|-)\s`,
  // A transcript.
  String.raw`\brcpt to:\s*<?(${ADDRESS})>?`,
  String.raw`^\s*[45]\d\d[ -](?:#?[45]\.\d+\.\d+ )?<?(${ADDRESS})>?(?:\.\.\.|:)`,
  // A sentence or a field.
  String.raw`\b(?:deliver\w*|undeliverable|undelivered|mail|message|sen[dt]\w*|reach\w*|recipients?|address\w*|destination|mailbox|user\w*|account)\b[^@<\n]{0,40}?[\s:(]<?(${ADDRESS})>?`,
].map(source => new RegExp(source, 'i'))

/** Lines that name the sender, a contact or the message, not a recipient. */
const NOT_ABOUT_RECIPIENTS =
  /\bmail from:|envelope-from|\b(?:message|mail|e-mail) is from\b|\bfor example\b|\be\.g\.|\binstead of\b|\bsuch as\b|zum beispiel|\bz\. ?b\.|par exemple|por ejemplo|ad esempio|por exemplo|например|例えば|例如|^\s*(?:[\w-]{1,12} )?(?:from|sender|reply-to|return-path|message[ -](?:id|token)|in-reply-to|subject|cc|reporting-mta)\s*:|\bcontact\b|\bassistance\b|please (?:send|forward|report)|https?:/i

function splitBlocks(text: string, senders: ReadonlySet<string>): Map<string, TextReport> {
  const blocks = new Map<string, TextReport>()
  let current: TextReport | undefined
  let transcript = ''
  for (const line of text.split('\n')) {
    const address = openerOf(line)
    if (address !== null && !senders.has(fold(address))) {
      current = blocks.get(fold(address)) ?? { address, words: '' }
      current.words += transcript
      transcript = ''
      blocks.set(fold(address), current)
    }
    if (current !== undefined) current.words += `${line}\n`
    // A transcript precedes the recipient it is about.
    if (TRANSCRIPT.test(line)) transcript += `${line}\n`
    else if (line.trim() !== '') transcript = ''
  }
  return blocks
}

const TRANSCRIPT = /^\s*(?:>>>|<<<) /

function openerOf(line: string): string | null {
  if (!line.includes('@') || line.length > 1_000 || NOT_ABOUT_RECIPIENTS.test(line)) return null
  for (const opener of OPENERS) {
    const address = opener.exec(line)?.[1]
    if (address !== undefined) return address
  }
  return null
}

/**
 * Addresses of the report's recipient and sender and of the original's sender: none of them is the failed recipient.
 */
function senderAddresses(report: MimeEntity, text: string): Set<string> {
  const fields = ['from', 'to', 'reply-to'].flatMap(name => report.headers.get(name) ?? [])
  const named = [...text.matchAll(NAMED_SENDER)].map(match => match[1] ?? '')
  return new Set(
    [...fields.flatMap(field => field.match(ADDRESSES) ?? []), ...named].map(address => fold(address)),
  )
}

/**
 * True if a text names a mailbox other than those of the report's sender and recipient, not as a contact and not in a
 * link.
 */
export function namesSomebody(report: MimeEntity, text: string): boolean {
  const senders = senderAddresses(report, text)
  const sentences = text.split(/\n|(?<=[.!?])\s/).filter(sentence => !NOT_ABOUT_RECIPIENTS.test(sentence))
  const named = sentences.flatMap(sentence => sentence.match(ADDRESSES) ?? [])
  return named.some(address => !senders.has(fold(address)) && !isRole(address))
}

const NAMED_SENDER = new RegExp(
  String.raw`^[ \t>]*(?:[\w-]{1,12} )?(?:from|sender|return-path)[ \t]*:[^\n@]{0,80}?<?(${ADDRESS})>?[ \t]*$`,
  'gim',
)

function isRole(address: string): boolean {
  return /^(?:postmaster|mailer-daemon|abuse|support|help|hostmaster|no-?reply)@/i.test(address)
}

function fold(address: string): string {
  return address.toLowerCase()
}
