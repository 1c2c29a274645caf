import type { Db } from '@emma/db/connection.ts'
import { readContactLanguage } from './contact-language.ts'
import { readFrequency } from '../contact-frequency.ts'
import { readPause } from '../contact-pause.ts'
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
    activity: Awaited<ReturnType<typeof memberActivity>>['data']
  }[]
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
    datasources.push({ name, data: await findMember(db, source, memberId), activity: data })
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
  }
}
