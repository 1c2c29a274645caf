import type { Db } from '@emma/db/connection.ts'
import type { Module } from '@emma/mail/template/modules.ts'
import { sql } from 'kysely'

/** A client's placeholders as modules of its templates. */
export async function findModules(db: Db, clientId: number): Promise<Module[]> {
  const { rows } = await sql<Module & { isMandatory: boolean }>`
    select token as name, type, body, is_mandatory as "isMandatory"
    from placeholder
    where client_id = ${clientId} and deleted_at is null
    order by module_id`.execute(db)
  return rows
}
