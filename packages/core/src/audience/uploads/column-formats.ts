import type { dataupload } from '@emma/contract/resources/dataupload.ts'
import type { z } from 'zod'
import { readTruth } from '../members/member-values.ts'
import { dateOrderOf } from '../members/read-date.ts'
import { decimalSignOf } from '../members/read-number.ts'

/** Format of the dates and numbers in one column of a file; null where none are ambiguous. */
export type ColumnFormat = z.infer<typeof dataupload.fields.formats>[number]

/** Least share of filled cells that must be dates (or numbers) for a column of dates (or numbers). */
const MOSTLY = 0.8

/** Counted formats of the cells of one column. */
interface Votes {
  filled: number
  dates: Map<string | null, number>
  numbers: Map<string | null, number>
  /** Types that every cell so far fits. */
  types: Set<DataType>
}

type DataType = ColumnFormat['data_type']

/**
 * From the narrowest; `text` takes the rest. Digits after a zero or plus are postcodes and phone numbers, not integers.
 */
const cellTypes: readonly [DataType, (cell: string) => boolean][] = [
  ['bool', cell => typeof readTruth(cell) === 'string'],
  ['int', cell => /^-?(0|[1-9]\d{0,14})$/.test(cell)],
  ['decimal', cell => !/^(\+|-?0\d)/.test(cell) && decimalSignOf(cell) !== undefined],
  ['date', cell => !cell.includes(':') && dateOrderOf(cell) !== undefined],
  ['datetime', cell => dateOrderOf(cell) !== undefined],
  ['string', cell => cell.length <= 255 && !/[\r\n]/.test(cell)],
]

export interface FormatCounter {
  add(row: readonly string[]): void
  /** One format per column, in order. */
  formats(): ColumnFormat[]
}

/**
 * Detects type, date order and decimal separator of each column from its cells. A part above 12 is a day; three digits
 * after a single separator are ambiguous. A column with ambiguous cells only takes the format of the other columns if
 * these agree, else it is `unclear`.
 */
export function countFormats(width: number): FormatCounter {
  const columns = Array.from(
    { length: width },
    (): Votes => ({
      filled: 0,
      dates: new Map(),
      numbers: new Map(),
      types: new Set(cellTypes.map(([type]) => type)),
    }),
  )
  return {
    add(row) {
      for (const [index, votes] of columns.entries()) {
        const cell = row[index]?.trim() ?? ''
        // Longer than any date or number.
        if (cell === '') continue
        votes.filled++
        for (const [type, fits] of cellTypes)
          if (votes.types.has(type) && !fits(cell)) votes.types.delete(type)
        if (cell.length > 40) continue
        count(votes.dates, dateOrderOf(cell))
        count(votes.numbers, decimalSignOf(cell))
      }
    },
    formats() {
      const orders = columns.map(({ filled, dates }) => decide<'dmy' | 'mdy'>(filled, dates, ['dmy', 'mdy']))
      const signs = columns.map(({ filled, numbers }) => decide<'.' | ','>(filled, numbers, ['.', ',']))
      return columns.map(({ filled, types }, index) => ({
        data_type: filled === 0 ? ('string' as const) : ([...types][0] ?? ('text' as const)),
        date_order: settle(orders, index),
        decimal_sign: settle(signs, index),
      }))
    },
  }
}

function count(votes: Map<string | null, number>, vote: string | null | undefined): void {
  if (vote !== undefined) votes.set(vote, (votes.get(vote) ?? 0) + 1)
}

function decide<T extends string>(
  filled: number,
  votes: Map<string | null, number>,
  [one, other]: readonly [T, T],
): T | 'unclear' | null {
  const total = [...votes.values()].reduce((sum, times) => sum + times, 0)
  if (total === 0 || total < filled * MOSTLY) return null
  const [ones, others] = [votes.get(one) ?? 0, votes.get(other) ?? 0]
  if (ones !== others) return ones > others ? one : other
  return ones > 0 || votes.has('unclear') ? 'unclear' : null
}

/** An unclear column takes the format of the clear ones if they all agree. */
function settle<T extends string>(
  decided: readonly (T | 'unclear' | null)[],
  index: number,
): T | 'unclear' | null {
  const own = decided[index] ?? null
  if (own !== 'unclear') return own
  const clear = new Set(decided.filter(format => format !== null && format !== 'unclear'))
  const [only] = clear
  return clear.size === 1 && only !== undefined ? only : 'unclear'
}
