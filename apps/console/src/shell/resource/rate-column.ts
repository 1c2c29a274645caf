import { useFormat } from '@emma/ui/i18n.tsx'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { shareOf } from './share-of.ts'

/** A rate of a row: `count` of `all`. */
interface Rate<Row> {
  id: string
  header: string
  count: (row: Row) => number
  all: (row: Row) => number
  /** In px. */
  width: number
}

/** Returns a function that makes the column of a rate. */
export function useRateColumn<Row>(): (rate: Rate<Row>) => Column<Row> {
  const format = useFormat()
  return ({ id, header, count, all, width }) => ({
    id,
    header,
    width,
    align: 'end',
    cell: row => format.percent(shareOf(count(row), all(row))),
    text: row => shareOf(count(row), all(row)),
  })
}
