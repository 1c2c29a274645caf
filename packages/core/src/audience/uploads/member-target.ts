import { parseAddress } from '@emma/mail/address.ts'
import { type RawBuilder, sql } from 'kysely'
import { type Datasource, membersTable } from '../datasources/datasource.ts'
import { refreshMemberTableStats } from '../datasources/datasource-stats.ts'
import { postgresTypes, writableFixedColumns } from '../members/member-columns.ts'
import { valueReader } from '../members/member-values.ts'
import { addOptOuts, keepOptOuts, restoreOptOuts } from '../blacklists/opt-out.ts'
import { logUnsubscriptions, setUnsubscribed } from '../subscription.ts'
import { suppressedBy } from '../blacklists/suppression.ts'
import { type ImportTarget, isWriting, type MergeStep, type UploadMode } from './import-target.ts'

/**
 * Members as the target of an upload. The mode determines which addresses are affected: insert only new ones, update
 * only existing ones, upsert both; delete existing ones; unsubscribe also prevents unknown addresses from being mailed
 * once they are added. An empty mapped cell clears the field. Members who unsubscribed, complained or bounced are never
 * resubscribed, even if they were deleted meanwhile; a file never confirms a pending double opt-in. Addresses
 * suppressed by the client or the installation are rejected (insert, update, upsert).
 */
export function memberTarget(source: Datasource, mode: UploadMode, filename: string): ImportTarget {
  const table = membersTable(source.member_table_id)
  const isSame = sql`m.client_id = ${source.client_id} and lower(m.email) = lower(u.email)`
  const known = sql`exists (select from ${table} as m where ${isSame})`
  return {
    name: source.name,
    key: 'email',
    isKey: cell => parseAddress(cell).ok,
    needsKeyOnly: !isWriting(mode),
    takesUnevenRows: !isWriting(mode),
    columns: source.columns
      .filter(column => !column.is_fixed || writableFixedColumns.has(column.column_name))
      .map(column => ({
        column_name: column.column_name,
        label: column.label,
        type: postgresTypes[column.data_type],
        reader: format => valueReader(column, format),
        isNew: column.schema_id === undefined,
        isRequired:
          column.column_name === 'email' || (!column.nullable && !column.is_fixed && isWriting(mode)),
        isFreeText:
          column.data_type === 'string' || column.data_type === 'text' || column.data_type === 'enum',
      })),

    isKnown: known,

    async rejections(db) {
      const suppressed = await suppressedBy(db, source.client_id, [], sql.ref('u.email'))
      const rest = {
        insert: sql`when ${known} then 'existing'`,
        update: sql`when not ${known} then 'unknown'`,
        upsert: sql``,
      }
      if (mode === 'unsubscribe') return null
      if (mode === 'delete')
        return sql`select u.row_no, 'unknown' as reason from upload_row as u where not ${known}`
      return sql`select row_no, reason from (
          select u.row_no, coalesce((${suppressed})::text, case ${rest[mode]} when false then null end) as reason
          from upload_row as u
        ) as checked where reason is not null`
    },

    fresh: {
      probe: sql`select from ${table} limit 1`,
      unindex: sql`select unindex_member_table(${source.member_table_id})`,
      index: sql`select index_member_table(${source.member_table_id})`,
    },

    merge(mapped, { isFresh, uploadId }) {
      const insert = insertMembers(source, mapped, filename)
      const added = isFresh
        ? { figure: 'inserted' as const, statement: insert }
        : { figure: 'inserted' as const, ...onlyNew(insert, isSame, table) }
      const emails = sql`select u.email from upload_row as u`
      const restored = { figure: null, statement: restoreOptOuts(source, emails) }
      switch (mode) {
        case 'insert':
          return [added, restored]
        case 'update':
          return [{ figure: 'updated', statement: updateMembers(source, mapped, isSame, uploadId) }]
        case 'upsert':
          return [
            { figure: 'updated', statement: updateMembers(source, mapped, isSame, uploadId) },
            added,
            restored,
          ]
        case 'unsubscribe':
          return [
            { figure: null, statement: logUnsubscriptions(source, isSame, sql`upload_row as u`) },
            { figure: 'updated', statement: setUnsubscribed(source, isSame, sql`from upload_row as u`) },
            {
              figure: 'updated',
              statement: addOptOuts(
                source,
                sql`${emails} where not exists (select from ${table} as m where ${isSame})`,
              ),
            },
          ]
        case 'delete':
          return [
            {
              figure: null,
              statement: keepOptOuts(source, sql`true`, sql`join upload_row as u on ${isSame}`),
            },
            {
              figure: 'updated',
              statement: sql`delete from ${table} as m using upload_row as u where ${isSame}`,
            },
          ]
      }
    },

    async finish(db) {
      await refreshMemberTableStats(db, source.client_id, source.member_table_id)
    },
  }
}

/** Fixed columns that always have a value: an empty cell does not change them. */
const defaults: Record<string, RawBuilder<unknown>> = {
  datejoin: sql`now()`,
  doi_state: sql`'none'`,
}

function insertMembers(source: Datasource, mapped: readonly string[], filename: string): RawBuilder<unknown> {
  const names = mapped.includes('source') ? mapped : [...mapped, 'source']
  const values = names.map(name => {
    if (name === 'source')
      return mapped.includes('source') ? sql`coalesce(u.source, ${filename}::text)` : sql`${filename}::text`
    const value = sql.ref(`u.${name}`)
    const otherwise = defaults[name]
    return otherwise ? sql`coalesce(${value}, ${otherwise})` : value
  })
  return sql`
    insert into ${membersTable(source.member_table_id)}
      (client_id, ${sql.join(names.map(name => sql.id(name)))})
    select ${source.client_id}::bigint, ${sql.join(values)}
    from upload_row as u`
}

/** ON CONFLICT takes twice the time, so it is only used after a concurrent insert. */
function onlyNew(
  insert: RawBuilder<unknown>,
  isSame: RawBuilder<unknown>,
  table: RawBuilder<unknown>,
): Pick<MergeStep, 'statement' | 'otherwise'> {
  const statement = sql`${insert} where not exists (select from ${table} as m where ${isSame})`
  return { statement, otherwise: sql`${statement} on conflict do nothing` }
}

/**
 * Skips rows that would not change, as writing them costs as much as new ones. Stores the previous values of the others
 * in upload_change, whose row count the statement returns.
 */
function updateMembers(
  source: Datasource,
  mapped: readonly string[],
  isSame: RawBuilder<unknown>,
  uploadId: number,
): RawBuilder<unknown> {
  const names = mapped.filter(name => name !== 'email')
  if (names.length === 0) return sql`select where false`
  const table = membersTable(source.member_table_id)
  const before = names.map(name => sql.ref(`m.${name}`))
  const after = names.map(name => {
    const otherwise = defaults[name] ? sql`coalesce(${sql.ref(`u.${name}`)}, ${sql.ref(`m.${name}`)})` : null
    // Only the subscriber can confirm a pending double opt-in.
    if (name === 'doi_state')
      return sql`case when m.doi_state = 'pending' then 'pending' else ${otherwise} end`
    return otherwise ?? sql.ref(`u.${name}`)
  })
  const values = names.map((_, index) => sql`${after[index]} as ${sql.id(`after_${index}`)}`)
  const assignments = names.map((name, index) => sql`${sql.id(name)} = ${sql.ref(`f.after_${index}`)}`)
  return sql`
    with former as materialized (
      select m.member_id, m.revision, ${formerValues(names)} as before, ${sql.join(values)}
      from ${table} as m join upload_row as u on ${isSame}
      where row(${sql.join(before)}) is distinct from row(${sql.join(after)})
      for no key update of m
    ), changed as (
      update ${table} as m
      set ${sql.join(assignments)}, updated_at = now(), revision = m.revision + 1
      from former as f
      where m.client_id = ${source.client_id} and m.member_id = f.member_id
    )
    insert into upload_change (client_id, upload_id, member_id, revision, before)
    select ${source.client_id}::bigint, ${uploadId}::bigint, member_id, revision + 1, before from former`
}

/** jsonb_build_object takes 100 arguments at most. */
function formerValues(names: readonly string[]): RawBuilder<unknown> {
  const objects: RawBuilder<unknown>[] = []
  for (let at = 0; at < names.length; at += 50) {
    const pairs = names.slice(at, at + 50).map(name => sql`${sql.lit(name)}, ${sql.ref(`m.${name}`)}`)
    objects.push(sql`jsonb_build_object(${sql.join(pairs)})`)
  }
  return sql.join(objects, sql` || `)
}
