import { createPool, createDb, type Db } from '@emma/db/connection.ts'
import { migrate } from '@emma/db/migrate.ts'
import { startThrowAwayServer } from '@emma/db/test/server.ts'
import { fillLedger } from '@emma/delivery/1-expand/fill-ledger.ts'
import { sql } from 'kysely'

/**
 * Measures the expansion of a campaign: `npm run bench:expand [-- MEMBERS]` writes a campaign of 1,000,000 members into
 * the ledger with all checks (state of the member, address, duplicates, suppression lists of the platform, the client and
 * the campaign, frequency cap with an earlier campaign). Baseline, in alternation: the same rows by a plain
 * INSERT … SELECT into the same table. The last line is JSON; `vs_insert` is the ratio of the rates.
 */

const MEMBERS = Number(process.argv[2] ?? 1_000_000)
const ROUNDS = 3
const CLIENT = 1
const TABLE = 1

const server = await startThrowAwayServer()
try {
  await migrate(server.url)
  const pool = createPool(server.url, { statementTimeout: 0 })
  const db = createDb(pool)
  await fillClient(db)
  const bare: number[] = []
  const full: number[] = []
  let reasons: { reason: string; count: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await timed(db, 100 + round, insertBare))
    full.push(
      await timed(db, 200 + round, async (tx, campaignId) => {
        await fillLedger(tx, {
          clientId: CLIENT,
          campaignId,
          memberTableId: TABLE,
          included: sql`select member_id from members.t1 where client_id = ${CLIENT} and member_id <= ${MEMBERS}`,
          excluded: [],
          blacklistIds: [3, 4],
          cappingId: 1,
          sendOnceKey: null,
          messageId: null,
        })
        reasons = await countReasons(tx, campaignId)
      }),
    )
  }
  for (const { reason, count } of reasons) console.log(`${reason.padEnd(22)} ${count.toLocaleString('en')}`)
  const rate = (seconds: number[]) => Math.round(MEMBERS / median(seconds))
  console.log(`bare INSERT … SELECT   ${rate(bare).toLocaleString('en')} rows/s`)
  console.log(`expansion              ${rate(full).toLocaleString('en')} rows/s`)
  console.log(
    JSON.stringify({
      members: MEMBERS,
      insert_per_s: rate(bare),
      expand_per_s: rate(full),
      vs_insert: Math.round((median(bare) / median(full)) * 1000) / 1000,
    }),
  )
  await pool.end()
} finally {
  await server.stop()
}

/** Measures one transaction in seconds, and deletes its rows, so that every round has the same start. */
async function timed(
  db: Db,
  campaignId: number,
  work: (tx: Db, campaignId: number) => Promise<void>,
): Promise<number> {
  await addCampaign(db, campaignId)
  await sql`checkpoint`.execute(db).catch(() => {})
  const start = performance.now()
  await db.transaction().execute(tx => work(tx, campaignId))
  const seconds = (performance.now() - start) / 1000
  await sql`delete from delivery where campagne_id = ${campaignId}`.execute(db)
  await sql`vacuum delivery`.execute(db)
  console.log(`campaign ${campaignId}: ${seconds.toFixed(2)} s`)
  return seconds
}

async function insertBare(tx: Db, campaignId: number): Promise<void> {
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email)
    select client_id, ${campaignId}::bigint, member_id, email
    from members.t1
    where client_id = ${CLIENT} and member_id <= ${MEMBERS}`.execute(tx)
}

async function countReasons(tx: Db, campaignId: number) {
  const { rows } = await sql<{ reason: string; count: number }>`
    select coalesce(skip_reason::text, 'to be sent') as reason, count(*) as count
    from delivery where campagne_id = ${campaignId}
    group by 1 order by 2 desc`.execute(tx)
  return rows
}

async function addCampaign(db: Db, id: number): Promise<void> {
  await sql`insert into campaign (client_id, campagne_id, name, member_table_id)
    values (${CLIENT}, ${id}, ${`Bench ${id}`}, ${TABLE})`.execute(db)
}

/** Creates a client with members, suppression lists of each kind, and a campaign sent to a fifth of the members. */
async function fillClient(db: Db): Promise<void> {
  await sql`insert into client (client_id, name) values (${CLIENT}, 'Bench')`.execute(db)
  await sql`insert into member_table (client_id, member_table_id, name) values (${CLIENT}, ${TABLE}, 'Bench')`.execute(
    db,
  )
  await sql`select create_member_table(${TABLE})`.execute(db)
  // A datasource rejects duplicate addresses; the index is dropped because the expansion must find duplicates itself.
  await sql`drop index members.t1_email`.execute(db)
  await sql`
    insert into members.t1 (client_id, member_id, email, dateunjoin, hardbounced_at, complained_at)
    select ${CLIENT}::bigint, n,
      case when n % 200 = 7 then 'Member' || n - 1 else 'member' || n end
        || '@' || (array['gmx.de','web.de','gmail.com','t-online.de','example.com','firma-' || n % 5000 || '.de'])
          [1 + (n - (n % 200 = 7)::int) % 6],
      case when n % 50 = 1 then now() end, case when n % 100 = 2 then now() end, case when n % 1000 = 3 then now() end
    from generate_series(1, ${MEMBERS}::int) n`.execute(db)
  await sql`update members.t1 set email = 'broken' || member_id where member_id % 997 = 5`.execute(db)
  await sql`create unique index bench_email on members.t1 (client_id, member_id, email)`.execute(db)
  await sql`
    insert into blacklist (client_id, blacklist_id, name, kind, match) values
      (${CLIENT}, 1, 'Client', 'client', 'email'), (${CLIENT}, 2, 'Hashes', 'client', 'sha256'),
      (${CLIENT}, 3, 'Campaign', 'campaign', 'email'), (${CLIENT}, 4, 'Domains', 'campaign', 'domain')`.execute(
    db,
  )
  await sql`
    insert into blacklist_entry (client_id, blacklist_id, value)
    select ${CLIENT}::bigint, 1, lower(email) from members.t1 where member_id % 100 = 11
    union select ${CLIENT}::bigint, 2, encode(sha256(lower(email)::bytea), 'hex') from members.t1 where member_id % 500 = 13
    union select ${CLIENT}::bigint, 3, lower(email) from members.t1 where member_id % 100 = 17
    union select ${CLIENT}::bigint, 4, 'firma-' || n || '.de' from generate_series(1, 100) n`.execute(db)
  await sql`
    insert into internal_blacklist_entry (value)
    select distinct lower(email) from members.t1 where member_id % 200 = 19`.execute(db)
  await sql`insert into internal_blacklist_exclude (value) values ('gmx.de')`.execute(db)
  await sql`insert into capping (client_id, capping_id, name, max_mails, period_hours)
    values (${CLIENT}, 1, 'One a day', 1, 24)`.execute(db)
  await addCampaign(db, 1)
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, state, recorded_at)
    select ${CLIENT}::bigint, 1, member_id, email, 'sent', now() from members.t1 where member_id % 5 = 0`.execute(
    db,
  )
  await sql`update campaign set expanded_at = now(), valid = 3, finished_at = now() where campagne_id = 1`.execute(
    db,
  )
  await sql`vacuum analyze`.execute(db)
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
