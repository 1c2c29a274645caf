import { parseAddress } from '@emma/mail/address.ts'
import { expect, test } from 'vitest'
import { chooseDelimiter, firstRows } from './choose-delimiter.ts'
import { findHeader } from './find-header.ts'

function read(text: string) {
  const delimiter = chooseDelimiter(text, null)
  const rows = firstRows(text, delimiter)
  const { preamble, hasHeader } = findHeader(rows, cell => parseAddress(cell).ok)
  return { delimiter, hasHeader, first: rows[preamble] }
}

test.for<[string, string, string[]]>([
  ['sep= of Excel', 'sep=;\nemail;name\na@x.example;Ann\n', ['email', 'name']],
  ['sep= in quotes', '"sep=;"\nemail;name\na@x.example;Ann\n', ['email', 'name']],
  ['blank lines', '\n   \n;;\nemail;name\na@x.example;Ann\nb@x.example;Bob\n', ['email', 'name']],
  ['a title', 'Customers 2026\n\nemail;name\na@x.example;Ann\nb@x.example;Bob\n', ['email', 'name']],
  ['a padded title', 'Customers;;\nid;email;name\n1;a@x.example;Ann\n', ['id', 'email', 'name']],
  ['titles of two cells', 'Report;Customers\nemail;name\na@x.example;Ann\n', ['email', 'name']],
  ['comments', '# exported by Ann; 2026\n#\nemail;name\na@x.example;Ann\n', ['email', 'name']],
  ['comments above one column', '# exported by Ann\nemail\na@x.example\n', ['email']],
  ['no title: a header with #', '#;email\n1;a@x.example\n2;b@x.example\n', ['#', 'email']],
  ['no title: a header of own names', 'Adr;Vn\na@x.example;Ann\nb@x.example;email\n', ['Adr', 'Vn']],
  ['no title: the first row is invalid', 'email;name\nbroken;Ann\na@x.example;Bob\n', ['email', 'name']],
])('the header is found after %s', ([, text, header]) => {
  expect(read(text)).toEqual({ delimiter: header.length > 1 ? ';' : ',', hasHeader: true, first: header })
})

test('a first row with an address is data', () => {
  expect(read('sep=;\na@x.example;Ann\nb@x.example;Bob\n')).toMatchObject({
    hasHeader: false,
    first: ['a@x.example', 'Ann'],
  })
})

test.for<[string, string]>([
  ['name,mail;Doe, Ann;a@x.example\nDoe, Ann;a@x.example\nRoe, Bob;b@x.example\n', ';'],
  ['email;note\na@x.example;one, two\nb@x.example;three, four\nc@x.example;five\n', ';'],
  ['email\tnote\na@x.example\tx|y\nb@x.example\tz|w\n', '\t'],
])('the delimiter is the one that yields addresses: %j', ([text, delimiter]) => {
  expect(read(text).delimiter).toBe(delimiter)
})
