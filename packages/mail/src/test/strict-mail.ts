/**
 * Checks a message against RFC 5322, 2045–2047 and 5321 without tolerance. Independent of the code that builds
 * messages.
 * @param options.utf8 the message is sent with SMTPUTF8: its header may contain UTF-8 (RFC 6532)
 * @param options.charset charset of the message, upper case, which its encoded words may have besides UTF-8
 * @returns one sentence per fault; none for a valid message
 */
export function findMailFaults(raw: Buffer, options: { utf8?: boolean; charset?: string } = {}): string[] {
  const text = raw.toString('latin1')
  const faults = [...octetFaults(text)]
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return [...faults, 'There is no empty line after the header.']
  const lines = text.slice(0, end).split('\r\n')
  const fields = readFields(lines)
  faults.push(...lineFaults(lines), ...fieldFaults(fields, options.utf8 ?? false, options.charset))
  faults.push(...entityFaults(fields, text.slice(end + 4)))
  return faults
}

/** A header field, unfolded. */
export interface Field {
  name: string
  value: string
}

/** Parses the fields of a header, unfolded, in order; a line without a field has the name ''. */
export function readFields(lines: readonly string[]): Field[] {
  const fields: Field[] = []
  for (const line of lines) {
    const last = fields.at(-1)
    if (/^[ \t]/.test(line) && last) last.value += line
    else {
      const [, name = '', value = line] = /^([!-9;-~]+):(.*)$/s.exec(line) ?? []
      fields.push({ name, value })
    }
  }
  return fields.map(({ name, value }) => ({ name, value: value.replace(/^ /, '') }))
}

function octetFaults(text: string): string[] {
  const faults: string[] = []
  if (/\r(?!\n)|(?<!\r)\n/.test(text)) faults.push('There is a bare CR or LF.')
  if (text.includes('\0')) faults.push('There is a NUL.')
  if (!text.endsWith('\r\n')) faults.push('The last line has no end.')
  if (text.split('\r\n').some(line => line.length > 998)) faults.push('A line is longer than 998 octets.')
  return faults
}

/** RFC 5322, 2.1.1 and 3.2.2; RFC 2047, 2. */
function lineFaults(lines: readonly string[]): string[] {
  return lines.flatMap(line => {
    const most = line.includes('=?') ? 76 : 78
    // A line without inner spaces cannot be folded.
    const isLong = line.length > most && /\S[ \t]+\S/.test(line.replace(/^[!-9;-~]+: ?/, ''))
    return [
      ...(isLong ? [`This header line is longer than ${most} characters: ${line}`] : []),
      ...(line.trim() === '' ? ['A folded header has a line of spaces only.'] : []),
      ...(/[ \t]$/.test(line) ? [`A header line ends in a space: ${line}`] : []),
    ]
  })
}

/** RFC 5322, 3.6; RFC 2369, 2; RFC 2919, 3; RFC 8058, 3.1; RFC 9477, 3.1. */
const ONCE =
  'date from sender reply-to to cc bcc message-id in-reply-to references subject mime-version content-type content-transfer-encoding list-id list-unsubscribe list-unsubscribe-post feedback-id precedence auto-submitted cfbl-address cfbl-feedback-id'.split(
    ' ',
  )

const ATOM = String.raw`[A-Za-z0-9!#$%&'*+\-/=?^_\x60{|}~\u0080-\u00ff]+`
const DOT_ATOM = `${ATOM}(?:\\.${ATOM})*`
const QUOTED = String.raw`"(?:[ \t!#-\[\]-~]|\\[ -~])*"`
const ADDRESS = `${DOT_ATOM}@${DOT_ATOM}`
const MAILBOX = `(?:${ADDRESS}|(?:(?:${ATOM}|${QUOTED})(?: (?:${ATOM}|${QUOTED}))* )?<${ADDRESS}>)`

const FORMS: Record<string, RegExp> = {
  date: /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d [+-]\d{4}$/,
  from: new RegExp(`^${MAILBOX}$`),
  'reply-to': new RegExp(`^${MAILBOX}$`),
  to: new RegExp(`^${MAILBOX}$`),
  'message-id': new RegExp(`^<${DOT_ATOM}@${DOT_ATOM}>$`),
  'mime-version': /^1\.0$/,
  'list-unsubscribe': /^<[a-z]+:[^\s<>]+>(?:, <[a-z]+:[^\s<>]+>)*$/,
  'list-unsubscribe-post': /^List-Unsubscribe=One-Click$/,
  'list-id': new RegExp(`^(?:(?:${ATOM}|${QUOTED})(?: (?:${ATOM}|${QUOTED}))* )?<${DOT_ATOM}>$`),
  'cfbl-address': new RegExp(`^${ADDRESS}(?:; report=(?:arf|xarf))?$`),
}

function fieldFaults(fields: readonly Field[], utf8: boolean, charset = 'UTF-8'): string[] {
  const faults: string[] = []
  const count = (name: string) => fields.filter(field => field.name.toLowerCase() === name).length
  for (const name of ['date', 'from']) if (count(name) === 0) faults.push(`There is no ${name}.`)
  for (const name of ONCE) if (count(name) > 1) faults.push(`There is more than one ${name}.`)
  for (const { name, value } of fields) {
    if (name === '') faults.push(`This line is no header field: ${value}`)
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) faults.push(`${name} has a control character.`)
    if (/[\x80-\xff]/.test(value) && !(utf8 && isUtf8(value))) faults.push(`${name} is not ASCII.`)
    if (FORMS[name.toLowerCase()]?.test(value) === false) faults.push(`${name} has not its form: ${value}`)
    faults.push(...encodedWordFaults(name, value, charset))
  }
  return faults
}

const WORD = /=\?([^?]*)\?([^?]*)\?([^?]*)\?=/g

/** RFC 2047, 2, 5 and 6.2. */
function encodedWordFaults(name: string, value: string, ownCharset: string): string[] {
  const isPhrase = /^(?:from|to|reply-to|sender|cc|list-id)$/i.test(name)
  return [...value.matchAll(WORD)].flatMap(
    ({ 0: word, 1: charset, 2: encoding = '', 3: text = '', index }) => {
      const faults: string[] = []
      const before = value.slice(0, index)
      if (word.length > 75) faults.push(`${name} has an encoded word of more than 75 characters.`)
      if (!/(?:^| )$/.test(before) || !/^(?:$| )/.test(value.slice(index + word.length)))
        faults.push(`${name} has an encoded word that does not stand alone.`)
      if (charset !== 'UTF-8' && charset !== ownCharset)
        faults.push(`${name} has an encoded word in ${charset}.`)
      if (isPhrase && encoding === 'Q' && !/^[A-Za-z0-9!*+\-/=_]*$/.test(text))
        faults.push(`${name} has a character in a phrase that Q must encode.`)
      if (/[^!-~]/.test(text)) faults.push(`${name} has an encoded word with a space or a control character.`)
      if ((before.match(/(?<!\\)"/g) ?? []).length % 2 === 1)
        faults.push(`${name} has an encoded word in quotes.`)
      if (charset === 'UTF-8' && !isUtf8(decodeWord(encoding, text)))
        faults.push(`${name} has an encoded word that breaks off within a character.`)
      return faults
    },
  )
}

function decodeWord(encoding: string, text: string): string {
  if (encoding === 'B') return Buffer.from(text, 'base64').toString('latin1')
  return decodeHex(text.replaceAll('_', ' '))
}

function decodeHex(text: string): string {
  return text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function isUtf8(latin1: string): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(latin1, 'latin1'))
    return true
  } catch {
    return false
  }
}

/** RFC 2045 and 2046: a body must match its header. */
function entityFaults(fields: readonly Field[], body: string): string[] {
  const valueOf = (name: string) => fields.find(field => field.name.toLowerCase() === name)?.value
  const type = valueOf('content-type') ?? 'text/plain; charset=us-ascii'
  const encoding = (valueOf('content-transfer-encoding') ?? '7bit').toLowerCase()
  const boundary = /^multipart\/[a-z]+;.*?boundary="([^"]+)"/.exec(type)?.[1]
  if (boundary !== undefined)
    return encoding === '7bit' ? multipartFaults(boundary, body) : ['A multipart must not be encoded.']
  if (/[\x80-\xff]/.test(body)) return ['A body has octets outside ASCII.']
  if (encoding === 'quoted-printable') return quotedPrintableFaults(type, body)
  if (encoding === 'base64')
    return /^(?:[A-Za-z0-9+/=]{1,76}\r\n)*$/.test(body)
      ? []
      : ['A body is not the base64 that it says it is.']
  return encoding === '7bit' ? [] : [`A body is in ${encoding}.`]
}

function multipartFaults(boundary: string, body: string): string[] {
  if (!/^[A-Za-z0-9'()+_,\-./:=? ]{0,69}[A-Za-z0-9'()+_,\-./:=?]$/.test(boundary))
    return ['The boundary has a character that it must not have.']
  const [preamble, ...parts] = `\r\n${body}`.split(`\r\n--${boundary}`)
  const epilogue = parts.pop()
  if (preamble !== '' || epilogue?.trim() !== '--' || parts.length === 0)
    return ['The parts of the body do not follow each other as they should.']
  return parts.flatMap(part => {
    if (!part.startsWith('\r\n')) return ['A boundary is followed by something.']
    const end = part.indexOf('\r\n\r\n')
    const lines = part.slice(2, end).split('\r\n')
    return [...lineFaults(lines), ...entityFaults(readFields(lines), `${part.slice(end + 4)}\r\n`)]
  })
}

/** RFC 2045, 6.7. */
function quotedPrintableFaults(type: string, body: string): string[] {
  const faults: string[] = []
  for (const line of body.split('\r\n')) {
    if (line.length > 76) faults.push('A quoted-printable line is longer than 76 characters.')
    if (/[ \t]$/.test(line)) faults.push('A quoted-printable line ends in a space.')
    if (/=(?![0-9A-F]{2}|$)/.test(line)) faults.push(`A quoted-printable line is malformed: ${line}`)
    if (/[^\t -~]/.test(line)) faults.push('A quoted-printable line has a control character.')
  }
  const decoded = decodeHex(body.replaceAll('=\r\n', ''))
  if (/charset="?utf-8/i.test(type) && !isUtf8(decoded))
    faults.push('A body is not the UTF-8 that it says it is.')
  return faults
}
