const OPEN_Q = '=?UTF-8?Q?'
const OPEN_B = '=?UTF-8?B?'
const CLOSE = '?='
const MAX_WORD = 75
const ROOM = MAX_WORD - OPEN_Q.length - CLOSE.length
const FOLD_AT = 76

/**
 * Encodes text as encoded words (RFC 2047) separated by spaces: UTF-8, Q or B encoding, whichever is shorter.
 * Characters are never split between words. Only characters allowed in a phrase are left unencoded, so the result is
 * valid in a display name as well as in a subject.
 * @param column column of the first word, which is made shorter to fit beside the header's name
 */
export function encodeWords(text: string, column = 0): string {
  const firstRoom = Math.max(ROOM - 24, Math.min(ROOM, FOLD_AT - column - OPEN_Q.length - CLOSE.length))
  const asQ = encodeQ(text, firstRoom)
  const asB = encodeB(text, firstRoom)
  return asQ.length <= asB.length ? asQ : asB
}

function encodeQ(text: string, firstRoom: number): string {
  const words: string[] = []
  let word = ''
  for (const char of text) {
    const encoded = qChar(char)
    if (word.length + encoded.length > (words.length === 0 ? firstRoom : ROOM)) {
      words.push(`${OPEN_Q}${word}${CLOSE}`)
      word = ''
    }
    word += encoded
  }
  words.push(`${OPEN_Q}${word}${CLOSE}`)
  return words.join(' ')
}

function encodeB(text: string, firstRoom: number): string {
  const words: string[] = []
  let word = ''
  let bytes = 0
  for (const char of text) {
    const size = Buffer.byteLength(char)
    const room = words.length === 0 ? firstRoom : ROOM
    if (Math.ceil((bytes + size) / 3) * 4 > room) {
      words.push(bWord(word))
      word = ''
      bytes = 0
    }
    word += char
    bytes += size
  }
  words.push(bWord(word))
  return words.join(' ')
}

function bWord(text: string): string {
  return `${OPEN_B}${Buffer.from(text).toString('base64')}${CLOSE}`
}

function qChar(char: string): string {
  if (char === ' ') return '_'
  if (/^[A-Za-z0-9!*+\-/]$/.test(char)) return char
  let encoded = ''
  for (const byte of Buffer.from(char)) encoded += `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
  return encoded
}
