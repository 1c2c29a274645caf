import type { Charset } from './charset.ts'

const CLOSE = '?='
const MAX_WORD = 75
const FOLD_AT = 76

/**
 * Encodes text as encoded words (RFC 2047) separated by spaces: Q or B encoding, whichever is shorter. Characters are
 * never split between words. Only characters allowed in a phrase are left unencoded, so the result is valid in a
 * display name as well as in a subject.
 * @param column column of the first word, which is made shorter to fit beside the header's name
 * @param charset has all characters of the text; null: UTF-8
 */
export function encodeWords(text: string, column = 0, charset: Charset | null = null): string {
  const coding = codingOf(charset)
  const firstRoom = Math.max(
    coding.room - 24,
    Math.min(coding.room, FOLD_AT - column - coding.openQ.length - CLOSE.length),
  )
  const asQ = encodeQ(text, coding, firstRoom)
  const asB = encodeB(text, coding, firstRoom)
  return asQ.length <= asB.length ? asQ : asB
}

interface Coding {
  openQ: string
  openB: string
  /** Characters between opening and closing. */
  room: number
  bytesOf: (char: string) => Buffer
}

function codingOf(charset: Charset | null): Coding {
  if (charset === null) return UTF8
  const bytesOf = (char: string) =>
    char.length === 1 && char <= '\x7f'
      ? Buffer.from(char)
      : Buffer.of(charset.bytes.get(char.codePointAt(0) ?? 0) ?? QUESTION_MARK)
  return codingFor(charset.name.toUpperCase(), bytesOf)
}

function codingFor(name: string, bytesOf: Coding['bytesOf']): Coding {
  const openQ = `=?${name}?Q?`
  return { openQ, openB: `=?${name}?B?`, room: MAX_WORD - openQ.length - CLOSE.length, bytesOf }
}

const QUESTION_MARK = 63
const UTF8 = codingFor('UTF-8', char => Buffer.from(char))

function encodeQ(text: string, { openQ, room, bytesOf }: Coding, firstRoom: number): string {
  const words: string[] = []
  let word = ''
  for (const char of text) {
    const encoded = qChar(char, bytesOf)
    if (word.length + encoded.length > (words.length === 0 ? firstRoom : room)) {
      words.push(`${openQ}${word}${CLOSE}`)
      word = ''
    }
    word += encoded
  }
  words.push(`${openQ}${word}${CLOSE}`)
  return words.join(' ')
}

function encodeB(text: string, { openB, room, bytesOf }: Coding, firstRoom: number): string {
  const words: string[] = []
  let word: Buffer[] = []
  let bytes = 0
  const close = () => words.push(`${openB}${Buffer.concat(word).toString('base64')}${CLOSE}`)
  for (const char of text) {
    const encoded = bytesOf(char)
    if (Math.ceil((bytes + encoded.length) / 3) * 4 > (words.length === 0 ? firstRoom : room)) {
      close()
      word = []
      bytes = 0
    }
    word.push(encoded)
    bytes += encoded.length
  }
  close()
  return words.join(' ')
}

function qChar(char: string, bytesOf: Coding['bytesOf']): string {
  if (char === ' ') return '_'
  if (/^[A-Za-z0-9!*+\-/]$/.test(char)) return char
  let encoded = ''
  for (const byte of bytesOf(char)) encoded += `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
  return encoded
}
