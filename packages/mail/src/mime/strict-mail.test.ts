import { expect, test } from 'vitest'
import { findMailFaults } from '../test/strict-mail.ts'

const MAIL = [
  'Date: Sat, 21 Nov 2026 01:37:00 +0000',
  'From: =?UTF-8?Q?M=C3=BCller?= <a@sender.test>',
  'Subject: News',
  'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Gr=C3=BC=C3=9Fe',
  '',
].join('\r\n')

test('the strict parser reports nothing for a valid message', () => {
  expect(findMailFaults(Buffer.from(MAIL))).toEqual([])
})

test.each([
  ['a bare LF', 'News\r\n', 'News\n', /bare CR or LF/],
  ['a bare CR', 'News', 'Ne\rws', /bare CR or LF/],
  ['a NUL', 'News', 'Ne\0ws', /NUL/],
  ['a long line', 'News', 'x'.repeat(1000), /998/],
  ['a header line that should be folded', 'News', 'ab '.repeat(40).trim(), /longer than 78/],
  ['two subjects', 'Subject: News', 'Subject: News\r\nSubject: Old', /more than one subject/],
  ['no date', /Date.*\r\n/, '', /no date/],
  ['a line that is not a field', 'Subject: News', 'Subject: News\r\nHello', /no header field/],
  ['octets in the header', 'News', 'Nüws', /not ASCII/],
  ['a date of another form', '21 Nov 2026', '2026-11-21', /date has not its form/i],
  ['a sender without domain', 'a@sender.test', 'a', /From has not its form/],
  ['a phrase that must be quoted', '=?UTF-8?Q?M=C3=BCller?=', 'Miller, Joe', /From has not its form/],
  ['a split character in an encoded word', '=C3=BCller', '=C3', /within a character/],
  ['an encoded word in quotes', '=?UTF-8?Q?M=C3=BCller?=', '" =?UTF-8?Q?M?= "', /in quotes/],
  ['a space at the end of a line', 'Gr=C3=BC=C3=9Fe', 'Gruss ', /ends in a space/],
  ['broken quoted-printable', 'Gr=C3=BC=C3=9Fe', 'Gr=c3', /malformed/],
  ['broken UTF-8', 'Gr=C3=BC=C3=9Fe', 'Gr=C3', /not the UTF-8/],
  ['an octet in the body', 'Gr=C3=BC=C3=9Fe', 'Grüße', /outside ASCII/],
  [
    'unterminated parts',
    'text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable',
    'multipart/mixed; boundary="x"',
    /do not follow/,
  ],
])('the strict parser reports %s', (_, from, to, fault) => {
  expect(findMailFaults(Buffer.from(MAIL.replace(from, to))).join('\n')).toMatch(fault)
})
