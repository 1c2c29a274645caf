import { parseAddress } from '@emma/mail/address.ts'
import { sql } from 'kysely'
import type { Blacklist } from '../blacklists/blacklist-entries.ts'
import { maximumLength } from '../members/member-columns.ts'
import { valueReader } from '../members/member-values.ts'
import { isInForce, laterEnd, renewEntry } from '../blacklists/renew-entry.ts'
import { timeReader } from '../members/read-date.ts'
import { readSuppressionValue } from '../blacklists/suppression-value.ts'
import type { ImportTarget, UploadMode } from './import-target.ts'
import { uploadError } from './upload-error.ts'
import type { ReadValue } from '../members/read-value.ts'

/**
 * Entries of a suppression list as the target of an upload. insert: adds values that the list does not suppress now;
 * upsert: also updates reason and expiry of existing entries; delete: removes values. The expiry is never shortened
 * (see renewEntry). A value is suppressed whatever its other cells contain: a long reason is cut, an invalid expiry
 * means none.
 *
 * @throws UploadError for a mode that suppression lists do not have
 */
export function blacklistTarget(list: Blacklist, mode: UploadMode): ImportTarget {
  if (mode === 'update' || mode === 'unsubscribe') throw uploadError('upload.blacklist_mode', { mode })
  const isSame = sql`e.client_id = ${list.client_id} and e.blacklist_id = ${list.blacklist_id} and e.value = u.value`
  const known = sql`exists (select from blacklist_entry as e where ${isSame})`
  const read: ReadValue = text => {
    const result = readSuppressionValue(list.match, text)
    return result.ok ? result.value : result.fault
  }
  const reason = column('string')
  return {
    name: list.name,
    key: 'value',
    // Lists of domains may be filled from a file of addresses, whose first line is no header either.
    isKey: cell => readSuppressionValue(list.match, cell).ok || parseAddress(cell).ok,
    needsKeyOnly: mode === 'delete',
    takesUnevenRows: true,
    columns: [
      {
        column_name: 'value',
        label: 'Value',
        type: 'text',
        reader: () => read,
        isRequired: true,
        isFreeText: false,
      },
      {
        column_name: 'reason',
        label: 'Reason',
        type: 'text',
        reader: () => valueReader(reason),
        isRequired: false,
        isFreeText: true,
        repair: cell => cutToLine(cell, maximumLength(reason)),
      },
      {
        column_name: 'expires_at',
        label: 'Expires',
        type: 'timestamptz',
        // An expiry date without a time ends with that day.
        reader: format => timeReader(format, '24:00:00'),
        isRequired: false,
        isFreeText: false,
        // Without expiry the value stays suppressed until somebody removes it.
        repair: () => '',
      },
    ],

    isKnown: known,

    async rejections() {
      if (mode === 'upsert') return null
      const inForce = isInForce(sql.ref('e.expires_at'))
      return mode === 'insert'
        ? sql`select u.row_no, 'existing' as reason from upload_row as u
            where exists (select from blacklist_entry as e where ${isSame} and ${inForce})`
        : sql`select u.row_no, 'unknown' as reason from upload_row as u where not ${known}`
    },

    merge(mapped) {
      const recount = sql`
        update blacklist set updated_at = now(), count = (
          select count(*) from blacklist_entry
          where client_id = ${list.client_id} and blacklist_id = ${list.blacklist_id})
        where client_id = ${list.client_id} and blacklist_id = ${list.blacklist_id}`
      if (mode === 'delete')
        return [
          {
            figure: 'updated',
            statement: sql`delete from blacklist_entry as e using upload_row as u where ${isSame}`,
          },
          { figure: null, statement: recount },
        ]
      const names = ['reason', 'expires_at'].filter(name => mapped.includes(name))
      const values = names.map(name => sql.ref(`u.${name}`))
      const columns = sql.join(
        ['client_id', 'blacklist_id', 'value', 'source', ...names].map(name => sql.id(name)),
      )
      // A file without an expiry column adds entries without expiry.
      const end = laterEnd(
        sql.ref('e.expires_at'),
        mapped.includes('expires_at') ? sql.ref('u.expires_at') : sql`null::timestamptz`,
      )
      const reason = mapped.includes('reason') ? sql.ref('u.reason') : sql.ref('e.reason')
      const renewed = sql`
        update blacklist_entry as e set expires_at = ${end}, reason = ${reason}
        from upload_row as u
        where ${isSame} and row(e.expires_at, e.reason) is distinct from row(${end}, ${reason})`
      return [
        { figure: 'updated', statement: renewed },
        {
          figure: 'inserted',
          statement: sql`
            insert into blacklist_entry (${columns})
            select ${sql.join([sql`${list.client_id}::bigint`, sql`${list.blacklist_id}::bigint`, sql`u.value`, sql`'upload'`, ...values])}
            from upload_row as u order by u.value ${renewEntry}`,
        },
        { figure: null, statement: recount },
      ]
    },

    async finish() {},
  }
}

/** A text without line breaks and control characters, cut to the limit of its column. */
function cutToLine(text: string, limit: number): string {
  // eslint-disable-next-line no-control-regex -- what the column refuses
  const line = text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim()
  // Does not split a surrogate pair.
  return line.slice(0, limit).replace(/[\ud800-\udbff]$/, '')
}

function column(data_type: 'string'): Parameters<typeof valueReader>[0] {
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
    topic: null,
    position: 0,
  }
}
