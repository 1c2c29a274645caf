import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { VariantSettings } from './variants.ts'

/** Variants with the names of their templates, also of deleted ones. */
export async function withTemplates(db: Db, clientId: number, variants: readonly VariantSettings[]) {
  const ids = variants.map(({ message_id: id }) => id)
  const { rows } = await sql<{ message_id: number; name: string }>`
    select message_id, name from message
    where client_id = ${clientId} and message_id = any(${ids}::bigint[])`.execute(db)
  const names = new Map(rows.map(row => [row.message_id, row.name]))
  return variants.map(variant => ({
    ...variant,
    template: (variant.message_id !== null && names.get(variant.message_id)) || null,
  }))
}
