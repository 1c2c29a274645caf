import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import type { FieldType } from '@emma/contract/rules.ts'

/** Columns that every member has besides those of its datasource; see create_member_table of the migrations. */
export const fixedColumns: readonly MemberColumn[] = [
  fixed('email', 'Email', 'email', { is_key: true, nullable: false, is_pii: true }),
  fixed('datejoin', 'Joined', 'datetime', { nullable: false }),
  fixed('dateunjoin', 'Unsubscribed', 'datetime'),
  fixed('source', 'Source', 'string'),
  fixed('doi_state', 'Double opt-in', 'enum', { options: ['none', 'pending', 'confirmed'], nullable: false }),
  fixed('doi_at', 'Double opt-in at', 'datetime'),
  fixed('hardbounced_at', 'Hard bounce', 'datetime'),
  fixed('softbounce_count', 'Soft bounces', 'int', { nullable: false }),
  fixed('complained_at', 'Complaint', 'datetime'),
  fixed('last_sent_at', 'Last mail', 'datetime'),
  fixed('last_opened_at', 'Last open', 'datetime'),
  fixed('last_clicked_at', 'Last click', 'datetime'),
  fixed('created_at', 'Created', 'datetime', { nullable: false }),
  fixed('updated_at', 'Changed', 'datetime', { nullable: false }),
]

/** Fixed columns that users and files may write; the others follow from events. */
export const writableFixedColumns: ReadonlySet<string> = new Set([
  'email',
  'datejoin',
  'source',
  'doi_state',
  'doi_at',
])

/** Names that a column of a datasource cannot have: fixed columns, fields of the record, PostgreSQL's system columns. */
export const reservedNames: ReadonlySet<string> = new Set([
  ...fixedColumns.map(column => column.column_name),
  ...'client_id member_id member_table_id doi_ip revision email_hash active'.split(' '),
  ...'id type relationships included created_by updated_by deleted_at'.split(' '),
  ...'ctid xmin xmax cmin cmax tableoid'.split(' '),
])

/** PostgreSQL type of each kind of column. Lengths and options are checked at the edges, not by the table. */
export const postgresTypes: Record<FieldType, string> = {
  string: 'text',
  text: 'text',
  email: 'text',
  enum: 'text',
  int: 'bigint',
  decimal: 'numeric',
  bool: 'boolean',
  date: 'date',
  datetime: 'timestamptz',
}

/** Most characters of a text; the default applies when the schema gives no length. */
export function maximumLength(column: Pick<MemberColumn, 'data_type' | 'length'>): number {
  return column.length ?? (column.data_type === 'text' ? 10_000 : 255)
}

function fixed(
  column_name: string,
  label: string,
  data_type: FieldType,
  more: Partial<MemberColumn> = {},
): MemberColumn {
  return {
    column_name,
    label,
    data_type,
    length: null,
    options: [],
    is_key: false,
    nullable: true,
    is_filterable: true,
    is_pii: false,
    is_fixed: true,
    topic: null,
    position: 0,
    ...more,
  }
}
