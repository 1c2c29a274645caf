import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { readContactLanguage } from './contact-language.ts'
import { readFrequency } from '../contact-frequency.ts'
import { readPause } from '../contact-pause.ts'
import { readHours } from '../hours/read-hours.ts'
import { readDatasource } from '../datasources/datasource.ts'
import { type EmailRecipient, findByAddress } from '../members/email-recipient.ts'
import { findMember } from '../members/list-members.ts'
import { memberActivity } from '../members/member-activity.ts'

/** Newest entries of a member's activity in the copy: a bound, above what a person gets in decades. */
const MOST_ENTRIES = 20_000

/** Copy of a person's data; values of members are those of their datasource's columns. */
export interface PersonExport {
  email: string
  created_at: string
  preferences: {
    frequency: Awaited<ReturnType<typeof readFrequency>>
    paused_until: Date | null
    language: string | null
  }
  datasources: {
    name: string
    data: Awaited<ReturnType<typeof findMember>>
    /** Opens and clicks by hour of the day, recent ones weigh more; null if there are none. */
    hours: number[] | null
    activity: Awaited<ReturnType<typeof memberActivity>>['data']
  }[]
  transactional_emails: { created_at: string; name: string; data: unknown }[]
}

/**
 * Copy of the data that a client holds about a person (GDPR, articles 15 and 20): values, choices and activity in each of
 * its datasources, with the proof of consent.
 */
export async function exportPerson(db: Db, person: EmailRecipient): Promise<PersonExport> {
  const { client_id: clientId } = person.table
  const memberships = await findByAddress(db, person)
  const datasources: PersonExport['datasources'] = []
  for (const { name, table, memberId } of memberships) {
    const source = await readDatasource(db, { clientIds: [clientId] }, table.member_table_id)
    const { data } = await memberActivity(db, source, memberId, { limit: MOST_ENTRIES, offset: 0 })
    const hours = await readHours(db, source, memberId)
    datasources.push({ name, data: await findMember(db, source, memberId), hours, activity: data })
  }
  return {
    email: person.email,
    created_at: new Date().toISOString(),
    preferences: {
      frequency: await readFrequency(db, clientId, person.email),
      paused_until: await readPause(db, clientId, person.email),
      language: await readContactLanguage(db, clientId, person.email),
    },
    datasources,
    transactional_emails: await readTransactional(db, clientId, person.email),
  }
}

/** Emails of programs to the address, with the data that is still stored. */
async function readTransactional(
  db: Db,
  clientId: number,
  email: string,
): Promise<PersonExport['transactional_emails']> {
  const { rows } = await sql<PersonExport['transactional_emails'][number]>`
    select m.created_at, t.name, m.data
    from transactional_mail as m join transactional as t on t.client_id = m.client_id and t.id = m.transactional_id
    where m.client_id = ${clientId} and lower(m.email) = lower(${email})
    order by m.mail_id desc limit ${MOST_ENTRIES}`.execute(db)
  return rows
}
