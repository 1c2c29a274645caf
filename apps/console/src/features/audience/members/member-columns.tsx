import type { RecordOf } from '@emma/client/emma-client.ts'
import type { member } from '@emma/contract/resources/member.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import type { Format } from '@emma/ui/format.ts'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { columnLabel, optionLabel } from '../../../shell/resource/column-label.ts'
import { MemberBadge, stateOf } from './member-state.tsx'
import type { Datasource } from './use-member-table.ts'

export type Member = RecordOf<typeof member>

/** Number of custom columns that are visible by default. */
const shownAtFirst = 3

/** Columns of a member list: address, state, the datasource's columns, and activity dates. */
export function useMemberColumns(datasource: Datasource): Column<Member>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const columns = datasource.emmamembertableschema
  const own = columns.filter(column => !column.is_fixed)
  const fixed = columns.filter(column => column.is_fixed && column.column_name !== 'email')
  return [
    {
      id: 'email',
      header: t('audience.member.fields.email'),
      sort: 'email',
      width: 270,
      cell: row => row.email,
    },
    {
      id: 'active',
      header: t('audience.member.fields.state'),
      width: 150,
      cell: row => <MemberBadge member={row} />,
      text: row => t(`audience.member.states.${stateOf(row)}`),
    },
    ...own.map((column, index) => columnOf(column, index >= shownAtFirst, t, format)),
    ...fixed.map(column => columnOf(column, !shownFixed.has(column.column_name), t, format)),
  ]
}

const shownFixed = new Set(['datejoin'])

function columnOf(column: MemberColumn, hidden: boolean, t: TFunction, format: Format): Column<Member> {
  const { column_name: name, data_type: type } = column
  const isNumber = type === 'int' || type === 'decimal'
  return {
    id: name,
    header: columnLabel(column, t),
    sort: name,
    hidden,
    wideOnly: hidden,
    width: widths[type],
    ...(isNumber ? { align: 'end' } : {}),
    cell: row => memberValue(Reflect.get(row, name), column, t, format),
    text: row => {
      const value: unknown = Reflect.get(row, name)
      if (type === 'enum' || type === 'bool') return memberValue(value, column, t, format)
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? value
        : null
    },
  }
}

const widths: Record<MemberColumn['data_type'], number> = {
  string: 150,
  text: 220,
  email: 220,
  int: 110,
  decimal: 120,
  bool: 100,
  date: 130,
  datetime: 170,
  enum: 130,
}

/** Formats a member's value for display. */
function memberValue(value: unknown, column: MemberColumn, t: TFunction, format: Format): string {
  if (value === null || value === undefined || value === '') return ''
  switch (column.data_type) {
    case 'bool':
      return t(value === true ? 'audience.yes' : 'audience.no')
    case 'int':
    case 'decimal':
      return format.number(Number(value))
    case 'date':
      return typeof value === 'string' ? format.date(`${value.slice(0, 10)}T12:00:00`) : ''
    case 'datetime':
      return typeof value === 'string' ? format.dateTime(value) : ''
    case 'enum':
      return typeof value === 'string' ? optionLabel(column, value, t) : ''
    default:
      return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
}
