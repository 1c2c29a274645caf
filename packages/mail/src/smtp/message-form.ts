const CR = 13
const LF = 10
const DOT = 46

/**
 * Converts a message for SMTP DATA (RFC 5321, 4.5.2): every line end becomes CRLF, a bare CR or LF too, every leading
 * dot is doubled, and the last line is terminated. So no content can end the data early or smuggle a command,
 * whatever the receiver accepts as a line end.
 */
export function toDataForm(message: readonly Buffer[]): Buffer {
  return convert(message, true)
}

/** Converts line ends only, for BDAT (RFC 3030), which counts bytes and needs no dot-stuffing. */
export function toLineForm(message: readonly Buffer[]): Buffer {
  return convert(message, false)
}

function convert(message: readonly Buffer[], stuffsDots: boolean): Buffer {
  const input = message.length === 1 ? message[0]! : Buffer.concat(message)
  const output = Buffer.allocUnsafe(input.length * 2 + 2)
  let length = 0
  let atLineStart = true
  for (let index = 0; index < input.length; index++) {
    const byte = input[index]!
    if (byte === CR || byte === LF) {
      if (byte === CR && input[index + 1] === LF) index++
      output[length++] = CR
      output[length++] = LF
      atLineStart = true
      continue
    }
    if (atLineStart && stuffsDots && byte === DOT) output[length++] = DOT
    output[length++] = byte
    atLineStart = false
  }
  if (!atLineStart) {
    output[length++] = CR
    output[length++] = LF
  }
  return output.subarray(0, length)
}
