import { frequencies, type Frequency } from '@emma/contract/contact-frequency.ts'
import type { Db } from '@emma/db/connection.ts'
import { addressKey } from '@emma/mail/address.ts'

/** Contact frequency chosen on the preference page or in a form. */
export async function readFrequency(db: Db, clientId: number, email: string): Promise<Frequency> {
  const found = await db
    .selectFrom('contact_frequency')
    .select('period_hours')
    .where('client_id', '=', clientId)
    .where('address', '=', addressKey(email))
    .executeTakeFirst()
  if (!found) return 'all'
  return found.period_hours > frequencies.week ? 'month' : 'week'
}

/** Stores the chosen frequency; it applies from the next expansion on. */
export async function setFrequency(
  db: Db,
  clientId: number,
  email: string,
  wanted: Frequency,
): Promise<void> {
  const address = addressKey(email)
  const hours = frequencies[wanted]
  if (hours === null) {
    await db
      .deleteFrom('contact_frequency')
      .where('client_id', '=', clientId)
      .where('address', '=', address)
      .execute()
    return
  }
  const updated_at = new Date().toISOString()
  await db
    .insertInto('contact_frequency')
    .values({ client_id: clientId, address, period_hours: hours })
    .onConflict(conflict =>
      conflict.columns(['client_id', 'address']).doUpdateSet({ period_hours: hours, updated_at }),
    )
    .execute()
}
