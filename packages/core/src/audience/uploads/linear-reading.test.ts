import { growthOf, MAX_GROWTH } from '@emma/mail/test/growth.ts'
import { expect, test } from 'vitest'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import { valueReader } from '../members/member-values.ts'
import { dateOrderOf } from '../members/read-date.ts'
import { decimalSignOf } from '../members/read-number.ts'
import { detectCharset } from './charset.ts'
import { chooseDelimiter, firstRows } from './choose-delimiter.ts'
import { countFormats } from './column-formats.ts'
import { findHeader } from './find-header.ts'
import { simplify } from './guess-mapping.ts'
import { splitRows } from './split-rows.ts'
import { UploadError } from './upload-error.ts'

/** The time to read a file must grow linearly with its size for any content, as files come from untrusted sources. */

const PIECE = 128 * 1024

const types = ['string', 'text', 'email', 'int', 'decimal', 'bool', 'date', 'datetime'] as const

function cellReader(data_type: (typeof types)[number]): (text: string) => unknown {
  const column = { column_name: 'a', label: 'a', data_type, options: [] }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a reader needs of a column
  return valueReader(column as unknown as MemberColumn)
}

const readers: Record<string, (text: string) => unknown> = {
  'rows of a file': text => {
    const splitter = splitRows(',', () => undefined)
    for (let at = 0; at < text.length; at += PIECE) splitter.push(text.slice(at, at + PIECE))
    splitter.end()
  },
  'rows without the delimiter': text => {
    const splitter = splitRows('|', () => undefined)
    splitter.push(text)
    splitter.end()
  },
  'the delimiter': text => chooseDelimiter(text, null),
  'the header': text => findHeader(firstRows(text, ','), cell => cell.includes('@')),
  'the charset': text => detectCharset(Buffer.from(text), true),
  'formats of columns': text => {
    const counter = countFormats(3)
    for (const row of firstRows(text, ',')) counter.add(row)
    counter.formats()
  },
  'the order of a date': dateOrderOf,
  'the sign of a number': decimalSignOf,
  'the name of a column': simplify,
  ...Object.fromEntries(types.map(type => [`a cell of ${type}`, cellReader(type)])),
}

const units = [
  'a',
  '1',
  ' ',
  '"',
  '""',
  '"a",',
  '"a"\n',
  '"a" ,"b"x\r\n',
  ',',
  '\n',
  '\r',
  'a,b\n',
  '1.000',
  '1,000.',
  '-',
  '2026-12-31 ',
  '31.12.2026',
  '18:30',
  'a@b.test',
  '\u0301',
  '#',
  'sep=;',
]

const SIZE = 16_000

test.each(Object.entries(readers))(
  '%s is read in linear time',
  (_, read) => {
    for (const unit of units) {
      const task = (size: number) => {
        try {
          read(unit.repeat(size / unit.length))
        } catch (error) {
          if (!(error instanceof UploadError)) throw error
        }
      }
      expect(growthOf(task, SIZE), `of ${JSON.stringify(unit)}`).toBeLessThan(MAX_GROWTH)
    }
  },
  120_000,
)
