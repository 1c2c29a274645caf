import type { Db } from '@emma/db/connection.ts'

/** Liquid that shows a client's imprint: its placeholder `imprint` if it has one, otherwise its own field. */
export async function imprintOf(db: Db, clientId: number): Promise<string> {
  const module = await db
    .selectFrom('placeholder')
    .select('token')
    .where('client_id', '=', clientId)
    .where('token', '=', 'imprint')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return module ? '{{ module.imprint }}' : '{{ client.imprint }}'
}
