import { describe, expect, it } from 'vitest'
import { csvText } from '@emma/contract/csv.ts'
import { csvDelimiter, exportRows } from './list-csv.ts'

describe('csvDelimiter', () => {
  it('uses the delimiter that spreadsheets expect in the language', () => {
    expect([csvDelimiter('en'), csvDelimiter('de'), csvDelimiter('es')]).toEqual([',', ';', ';'])
  })
})

describe('exportRows', () => {
  it('loads every page of the view, not only the current one', async () => {
    const rows = Array.from({ length: 1203 }, (_, index) => ({ id: index, name: `n${index}` }))
    const offsets: number[] = []
    const exported = await exportRows({
      columns: [
        { id: 'id', header: 'Id', cell: () => null },
        {
          id: 'name',
          header: 'Name',
          cell: () => null,
          text: (row: { name: string }) => row.name.toUpperCase(),
        },
      ],
      query: { search: 'n', limit: 25, offset: 50 },
      load: async query => {
        offsets.push(query.offset ?? 0)
        const from = query.offset ?? 0
        return { data: rows.slice(from, from + (query.limit ?? 0)), pagination: { total: rows.length } }
      },
      signal: new AbortController().signal,
      onProgress: () => {},
    })
    const lines = csvText(exported, ',').trimEnd().split('\r\n')
    expect(offsets).toEqual([0, 500, 1000])
    expect(lines).toHaveLength(1204)
    expect(lines[0]).toBe('Id,Name')
    expect(lines.at(-1)).toBe('1202,N1202')
  })
})
