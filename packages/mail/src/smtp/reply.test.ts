import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuotedReply, ReplyParser, SmtpProtocolError, type SmtpReply } from './reply.ts'

function push(parser: ReplyParser, bytes: Buffer): SmtpReply[] {
  const replies: SmtpReply[] = []
  parser.push(bytes, reply => replies.push(reply))
  return replies
}
const parse = (text: string) => push(new ReplyParser(), Buffer.from(text))

describe('ReplyParser', () => {
  it.each([
    ['250 OK\r\n', { code: 250, enhanced: null, text: 'OK', lines: ['OK'] }],
    ['250 2.1.5 Ok\r\n', { code: 250, enhanced: '2.1.5', text: 'Ok', lines: ['Ok'] }],
    ['354\r\n', { code: 354, enhanced: null, text: '', lines: [''] }],
    [
      '250 bare line feed\n',
      { code: 250, enhanced: null, text: 'bare line feed', lines: ['bare line feed'] },
    ],
    [
      '550-5.1.1 The email account\r\n550-5.1.1 that you tried\r\n550 5.1.1 does not exist - gsmtp\r\n',
      {
        code: 550,
        enhanced: '5.1.1',
        text: 'The email account that you tried does not exist - gsmtp',
        lines: ['The email account', 'that you tried', 'does not exist - gsmtp'],
      },
    ],
    ['550 5.7.1: spam\r\n', { code: 550, enhanced: '5.7.1', text: 'spam', lines: ['spam'] }],
    ['421 4.7.0.1 x\r\n', { code: 421, enhanced: null, text: '4.7.0.1 x', lines: ['4.7.0.1 x'] }],
    ['250 a\0\x1b[31mb\u202e\r\n', { code: 250, enhanced: null, text: 'a [31mb', lines: ['a [31mb'] }],
  ])('parses %j', (text, reply) => {
    expect(parse(text)).toEqual([reply])
  })

  it('returns the same replies however the bytes are split', () => {
    const text = Buffer.from(
      '220 grüß dich\r\n250-PIPELINING\r\n250-SIZE 100\r\n250 8BITMIME\r\n550 5.1.1 no\r\n',
    )
    const whole = push(new ReplyParser(), text)
    expect(whole).toHaveLength(3)
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), cuts => {
        const parser = new ReplyParser()
        const ends = [...cuts.toSorted((a, b) => a - b), text.length]
        let start = 0
        const replies = ends.flatMap(end => push(parser, text.subarray(start, (start = end))))
        expect(replies).toEqual(whole)
      }),
    )
  })

  it('keeps the text short and on one line', () => {
    const [reply] = parse(`550-${'x'.repeat(900)}\r\n550 ${'y'.repeat(900)}\r\n`)
    expect(reply?.text).toHaveLength(1000)
  })

  it.each([
    ['an endless line', 'x'.repeat(5000)],
    ['a line that is too long', `250 ${'x'.repeat(5000)}\r\n`],
    ['an endless reply', '250-x\r\n'.repeat(20_000)],
    ['another protocol', 'HTTP/1.1 400 Bad Request\r\n'],
    ['a code out of range', '999 what\r\n'],
    ['a code with more digits', '2500 what\r\n'],
    ['an empty line', '\r\n'],
  ])('rejects %s', (_, text) => {
    expect(() => parse(text)).toThrow(SmtpProtocolError)
  })

  it('returns the replies before an invalid one', () => {
    const replies: SmtpReply[] = []
    const read = () =>
      new ReplyParser().push(Buffer.from('250 ok\r\nrubbish\r\n'), reply => replies.push(reply))
    expect(read).toThrow(SmtpProtocolError)
    expect(replies).toMatchObject([{ code: 250 }])
  })

  it('discards an unfinished reply on reset', () => {
    const parser = new ReplyParser()
    push(parser, Buffer.from('250-half\r\n25'))
    parser.reset()
    expect(push(parser, Buffer.from('220 hello\r\n'))).toMatchObject([{ code: 220, text: 'hello' }])
  })
})

describe('parseQuotedReply', () => {
  it.each([
    ['smtp; 550 5.1.1 <a@b.de>... User unknown', 550, '5.1.1'],
    ['smtp;550-5.7.26 This mail is unauthenticated', 550, '5.7.26'],
    ['host mx.example.com[192.0.2.1] said: 452 4.2.2 mailbox full', 452, '4.2.2'],
    ['550 #5.1.0 Address rejected', 550, '5.1.0'],
    ['Remote host said: 553 sorry', 553, null],
    ['(#5.1.2)', null, '5.1.2'],
    ['connection from 192.0.2.4.5.1.1 dropped', null, null],
    ['5.1.1', null, '5.1.1'],
    ['took 4503 seconds', null, null],
    ['', null, null],
  ])('parses %j', (text, code, enhanced) => {
    expect(parseQuotedReply(text)).toMatchObject({ code, enhanced })
  })
})
