import { describe, expect, it } from 'vitest'
import { headerBlock, headerField, summariseMessage } from './message-summary.ts'

const summarise = (text: string) => summariseMessage(Buffer.from(text))

describe('summariseMessage', () => {
  it('reads folded and encoded fields', () => {
    const { subject, from, messageId, faults } = summarise(
      'FROM: =?UTF-8?B?TcO8bGxlcg==?= <a@b.test>\r\nSubject: one\r\n  two\r\nMessage-Id: <1@b.test>\r\n\r\nSubject: no\r\n',
    )
    expect({ subject, from, messageId, faults }).toEqual({
      subject: 'one  two',
      from: 'Müller <a@b.test>',
      messageId: '<1@b.test>',
      faults: [],
    })
  })

  it('returns empty values for missing fields', () => {
    expect(summarise('')).toEqual({ subject: '', from: '', messageId: '', faults: [] })
    expect(summarise('\r\n\r\nSubject: body')).toMatchObject({ subject: '' })
  })

  it('removes control characters and limits the subject', () => {
    expect(summarise(`Subject: a\u0000\u001b[31mb\r\n\r\n`).subject).toBe('a [31mb')
    expect(summarise(`Subject: ${'x'.repeat(10_000)}\r\n\r\n`).subject).toHaveLength(500)
  })

  it.each([
    ['a long line', `A: b\r\n\r\n${'x'.repeat(999)}\r\n`, /999 octets/],
    ['a long line without an end', `A: b\r\n\r\n${'x'.repeat(2000)}`, /2000 octets/],
    ['a bare LF', 'A: b\r\n\r\nx\ny\r\n', /LF alone/],
    ['a bare CR', 'A: b\r\n\r\nx\ry\r\n', /CR stands alone/],
    ['a NUL', 'A: b\r\n\r\nx\0y\r\n', /NUL/],
  ])('reports %s', (_what, mail, words) => {
    expect(summarise(mail).faults).toEqual([expect.stringMatching(words)])
  })

  it('accepts a line of 998 octets', () => {
    expect(summarise(`A: b\r\n\r\n${'x'.repeat(998)}\r\n`).faults).toEqual([])
  })
})

describe('headerField', () => {
  it('matches the first field with exactly that name', () => {
    const raw = Buffer.from('X-List-Id: a\r\nList-Id: b\r\nList-ID: c\r\n\r\n')
    expect(headerField(raw, 'list-id')).toBe('b')
    expect(headerField(raw, 'list')).toBe('')
  })
})

describe('headerBlock', () => {
  it('ends before the empty line', () => {
    expect(headerBlock(Buffer.from('A: b\r\nC: d\r\n\r\nbody')).toString()).toBe('A: b\r\nC: d\r\n')
  })
})
