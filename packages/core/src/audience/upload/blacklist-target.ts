import { sql as raw } from 'kysely'
import type { Blacklist } from '../blacklist-entries.ts'
import { type ReadValue, valueReader } from '../member-values.ts'
import { readSuppressionValue } from '../suppression-value.ts'
import type { ImportTarget, UploadMode } from './import-target.ts'
import { UploadError } from './upload-error.ts'

/**
 * Entries of a blacklist as the target of an upload: insert takes new values only, upsert also renews reason and end of
 * known ones, delete takes values off the list.
 *
 * @throws UploadError for a mode that a blacklist does not have
 */
export function blacklistTarget(list: Blacklist, mode: UploadMode): ImportTarget {
  if (mode === 'update' || mode === 'unsubscribe')
    throw new UploadError(`A blacklist takes insert, upsert and delete, not ${mode}.`)
  const isSame = raw`e.client_id = ${list.client_id} and e.blacklist_id = ${list.blacklist_id} and e.value = u.value`
  const read: ReadValue = text => {
    const result = readSuppressionValue(list.match, text)
    return result.ok ? result.value : result
  }
  return {
    name: list.name,
    key: 'value',
    columns: [
      { column_name: 'value', label: 'Value', type: 'text', read, isRequired: true, isFreeText: false },
      {
        column_name: 'reason',
        label: 'Reason',
        type: 'text',
        read: valueReader(column('string')),
        isRequired: false,
        isFreeText: true,
      },
      {
        column_name: 'expires_at',
        label: 'Expires',
        type: 'timestamptz',
        read: valueReader(column('datetime')),
        isRequired: false,
        isFreeText: false,
      },
    ],

    async rejections() {
      const known = raw`exists (select from blacklist_entry as e where ${isSame})`
      if (mode === 'upsert') return null
      return mode === 'insert'
        ? raw`select u.row_no, 'existing' as reason from upload_row as u where ${known}`
        : raw`select u.row_no, 'unknown' as reason from upload_row as u where not ${known}`
    },

    merge(mapped) {
      const recount = raw`
        update blacklist set updated_at = now(), count = (
          select count(*) from blacklist_entry
          where client_id = ${list.client_id} and blacklist_id = ${list.blacklist_id})
        where client_id = ${list.client_id} and blacklist_id = ${list.blacklist_id}`
      if (mode === 'delete')
        return [
          {
            figure: 'updated',
            statement: raw`delete from blacklist_entry as e using upload_row as u where ${isSame}`,
          },
          { figure: null, statement: recount },
        ]
      const names = ['reason', 'expires_at'].filter(name => mapped.includes(name))
      const values = names.map(name => raw.ref(`u.${name}`))
      const columns = raw.join(
        ['client_id', 'blacklist_id', 'value', 'source', ...names].map(name => raw.id(name)),
      )
      const renewed = raw`
        update blacklist_entry as e set ${raw.join(names.map(name => raw`${raw.id(name)} = ${raw.ref(`u.${name}`)}`))}
        from upload_row as u where ${isSame}
          and row(${raw.join(names.map(name => raw.ref(`e.${name}`)))}) is distinct from row(${raw.join(values)})`
      return [
        ...(names.length > 0 && mode === 'upsert'
          ? [{ figure: 'updated' as const, statement: renewed }]
          : []),
        {
          figure: 'inserted',
          statement: raw`
            insert into blacklist_entry (${columns})
            select ${raw.join([raw`${list.client_id}::int`, raw`${list.blacklist_id}::bigint`, raw`u.value`, raw`'upload'`, ...values])}
            from upload_row as u on conflict do nothing`,
        },
        { figure: null, statement: recount },
      ]
    },

    async finish() {},
  }
}

function column(data_type: 'string' | 'datetime'): Parameters<typeof valueReader>[0] {
  return {
    column_name: data_type,
    label: data_type,
    data_type,
    length: null,
    options: [],
    is_key: false,
    nullable: true,
    is_filterable: true,
    is_pii: false,
    is_fixed: false,
    position: 0,
  }
}
