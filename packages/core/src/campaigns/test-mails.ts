import type { Db, Pool, PoolClient } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** An email of a test whose opens and clicks are recorded for the test alone. */
export interface TestMailKey {
  clientId: number
  testId: number
  mailId: number
}

interface TestMails {
  clientId: number
  testId: number
  /** Number of the variant, from 0. */
  variant: number
  emails: readonly string[]
  /** Tracked links. */
  links: readonly { index: number; url: string }[]
}

/** Adds the emails of a variant of a test, before they are sent. Returns their ids by address. */
export async function addTestMails(
  db: Db,
  { clientId, testId, variant, emails, links }: TestMails,
): Promise<Map<string, number>> {
  const targets = Object.fromEntries(links.map(({ index, url }) => [index, url]))
  const { rows } = await sql<{ email: string; mailId: number }>`
    with test as (
      update test_campaign set links = links || jsonb_build_object(${variant}::text, ${JSON.stringify(targets)}::jsonb)
      where client_id = ${clientId}::bigint and id = ${testId}::bigint
      returning client_id, id
    )
    insert into test_mail (client_id, test_id, variant, email)
    select test.client_id, test.id, ${variant}, email from test, unnest(${emails}::text[]) as email
    returning email, mail_id as "mailId"`.execute(db)
  return new Map(rows.map(({ email, mailId }) => [email, mailId]))
}

/** Records that the receiving server has accepted an email of a test. */
export async function markTestMailSent(db: Db, { clientId, testId, mailId }: TestMailKey): Promise<void> {
  await sql`
    update test_mail set sent_at = now()
    where client_id = ${clientId} and test_id = ${testId} and mail_id = ${mailId}`.execute(db)
}

/** Target of a tracked link of a test; null if there is no such link, or the test is gone. */
export async function findTestLink(
  db: Db,
  { clientId, testId, mailId }: TestMailKey,
  index: number,
): Promise<string | null> {
  const { rows } = await sql<{ url: string | null }>`
    select t.links -> m.variant::text ->> ${String(index)}::text as url
    from test_mail m
    join test_campaign t on t.client_id = m.client_id and t.id = m.test_id
    where m.client_id = ${clientId} and m.test_id = ${testId} and m.mail_id = ${mailId}
      and t.deleted_at is null`.execute(db)
  return rows[0]?.url ?? null
}

/** When emails of tests were accepted, in the order of `keys`; null: not known. */
export async function readTestMailTimes(pool: Pool, keys: readonly TestMailKey[]): Promise<(Date | null)[]> {
  const { rows } = await pool.query<{ sent_at: string | null }>(
    `select m.sent_at
     from unnest($1::bigint[], $2::bigint[], $3::bigint[]) with ordinality as hit (client_id, test_id, mail_id, n)
     left join test_mail m using (client_id, test_id, mail_id)
     order by hit.n`,
    columnsOf(keys),
  )
  return rows.map(({ sent_at }) => (sent_at === null ? null : new Date(sent_at)))
}

/** An open or click of an email of a test. */
export interface TestMailEvent extends TestMailKey {
  type: 'open' | 'click'
  at: Date
  /** By a person, as far as can be told. */
  isHuman: boolean
}

/** Days after a test in which its opens and clicks are recorded. */
const RECORDED_DAYS = 90

/**
 * Records the first open and click of emails of tests. They count nowhere else. Events of tests and emails that are not
 * there, or older than 90 days, have no effect.
 */
export async function recordTestEvents(client: PoolClient, events: readonly TestMailEvent[]): Promise<void> {
  if (events.length === 0) return
  await client.query(
    `update test_mail m set
       opened_at = least(m.opened_at, first.opened_at),
       clicked_at = least(m.clicked_at, first.clicked_at),
       machine_opened_at = least(m.machine_opened_at, first.machine_opened_at),
       machine_clicked_at = least(m.machine_clicked_at, first.machine_clicked_at)
     from (
       select client_id, test_id, mail_id,
         min(at) filter (where type = 'open' and is_human) as opened_at,
         min(at) filter (where type = 'click' and is_human) as clicked_at,
         min(at) filter (where type = 'open' and not is_human) as machine_opened_at,
         min(at) filter (where type = 'click' and not is_human) as machine_clicked_at
       from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::timestamptz[], $6::boolean[])
         as event (client_id, test_id, mail_id, type, at, is_human)
       group by client_id, test_id, mail_id) as first
     join test_campaign t on t.client_id = first.client_id and t.id = first.test_id and t.deleted_at is null
       and t.created_at > now() - make_interval(days => ${RECORDED_DAYS})
     where m.client_id = first.client_id and m.test_id = first.test_id and m.mail_id = first.mail_id`,
    [
      ...columnsOf(events),
      events.map(({ type }) => type),
      events.map(({ at }) => at),
      events.map(({ isHuman }) => isHuman),
    ],
  )
}

function columnsOf(keys: readonly TestMailKey[]): number[][] {
  return [
    keys.map(({ clientId }) => clientId),
    keys.map(({ testId }) => testId),
    keys.map(({ mailId }) => mailId),
  ]
}
