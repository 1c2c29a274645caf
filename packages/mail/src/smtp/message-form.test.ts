import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toDataForm, toLineForm } from './message-form.ts'

const piece = fc.constantFrom('\r', '\n', '\r\n', '.', '..', 'a', '\0', 'ü', 'MAIL FROM:<a@b.de>')
const message = fc.array(
  fc.array(piece).map(parts => Buffer.from(parts.join(''))),
  { maxLength: 3 },
)
const lineEnds = /\r\n|\r|\n/

describe('toDataForm', () => {
  it('preserves every line, ends all with CRLF and doubles leading dots', () => {
    fc.assert(
      fc.property(message, parts => {
        const sent = toDataForm(parts).toString()
        const lines = Buffer.concat(parts).toString().split(lineEnds)
        if (lines.at(-1) === '') lines.pop()
        expect(sent).toBe(lines.map(line => `${line.startsWith('.') ? '.' : ''}${line}\r\n`).join(''))
        expect(`${sent}.\r\n`.search(/(?:^|[\r\n])\.[\r\n]/)).toBe(Math.max(0, sent.length - 1))
      }),
    )
  })
})

describe('toLineForm', () => {
  it('leaves dots unchanged', () => {
    expect(toLineForm([Buffer.from('.a\n..\r'), Buffer.from('\n.')]).toString()).toBe('.a\r\n..\r\n.\r\n')
  })
})
