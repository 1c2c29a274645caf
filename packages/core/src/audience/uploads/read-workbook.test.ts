import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import writeXlsxFile from 'write-excel-file/node'
import { expect, onTestFinished, test } from 'vitest'
import { storeWorkbook } from './store-workbook.ts'
import { excelDate, plainNumber } from './workbook-values.ts'

async function convert(bytes: Uint8Array): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'emma-workbook-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [path, table] = [join(folder, 'a.csv'), join(folder, 'a.xlsx.csv')]
  writeFileSync(path, bytes)
  await storeWorkbook(path, table)
  return readFileSync(table, 'utf8')
}

function workbook(sheet: string, more: Record<string, string> = {}): Uint8Array {
  const parts = {
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="H" state="hidden" r:id="h"/><sheet name="A" r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="h" Target="worksheets/hidden.xml"/><Relationship Id="a" Target="/xl/worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/hidden.xml': '<worksheet><row><c t="str"><v>hidden</v></c></row></worksheet>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    ...more,
  }
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))
}

test('reads texts, numbers, dates and booleans of a workbook written by another program', async () => {
  const bytes = await writeXlsxFile([
    [{ value: 'email' }, { value: 'Vorname' }, { value: 'born' }, { value: 'revenue' }, { value: 'vip' }],
    [
      { value: 'a@x.example' },
      { value: 'Jürgen, "J"' },
      { type: Date, value: new Date(Date.UTC(1980, 1, 29)), format: 'dd.mm.yyyy' },
      { type: Number, value: 1234.5 },
      { type: Boolean, value: true },
    ],
    [{ value: 'b@x.example' }],
  ]).toBuffer()
  expect(await convert(bytes)).toBe(
    'email,Vorname,born,revenue,vip\na@x.example,"Jürgen, ""J""",1980-02-29,1234.5,true\nb@x.example,,,,\n',
  )
})

test('reads gaps, rich texts and prefixes, but not hidden sheets and phonetic texts', async () => {
  const strings =
    '<sst><si><r><t>em</t></r><r><t>ail</t></r><rPh><t>x</t></rPh></si><si><t>a@x.example</t></si></sst>'
  const bytes = workbook(
    '<x:row xmlns:x="x"><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="C1" t="inlineStr"><x:is><x:t>note</x:t></x:is></x:c></x:row>' +
      '<row r="900"><c r="A900" t="s"><v>1</v></c></row>',
    { 'xl/sharedStrings.xml': strings },
  )
  expect(await convert(bytes)).toBe('email,,note\na@x.example,,\n')
})

test.for<[string, () => Uint8Array, string]>([
  ['no workbook', () => zipSync({ 'a.txt': strToU8('x') }), 'The file is a ZIP archive'],
  ['broken XML', () => workbook('<row><c></row>'), 'The Excel workbook cannot be read'],
  [
    'a document type',
    () => workbook('<!DOCTYPE x [<!ENTITY a "b">]><row/>'),
    'The Excel workbook cannot be read',
  ],
  ['no rows', () => workbook(''), 'has no sheet with rows'],
  ['a cell far to the right', () => workbook('<row><c r="XFD1"><v>1</v></c></row>'), 'more than 500 columns'],
  ['an endless text', () => workbook(`<row><c t="str"><v>${'x'.repeat(3_000_000)}`), 'cannot be read'],
  [
    'a zip bomb',
    () =>
      workbook('<row><c t="s"><v>0</v></c></row>', {
        'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(2_100_000)}`,
      }),
    'unpacks to more than 512 MB',
  ],
])('%s is rejected with a message', async ([, bytes, words]) => {
  await expect(convert(bytes())).rejects.toThrow(words)
})

test('Excel numbers are converted to dates, times and plain numbers', () => {
  expect(['46387', '46387.770833333336', '0.75', '1', 'x'].map(value => excelDate(value, false))).toEqual([
    '2026-12-31',
    '2026-12-31 18:30:00',
    '18:00:00',
    '1900-01-01',
    'x',
  ])
  expect(['491711234567', '4.9E+11', '0.30000000000000004', '1.234'].map(plainNumber)).toEqual([
    '491711234567',
    '490000000000',
    '0.3',
    '1.234',
  ])
})
