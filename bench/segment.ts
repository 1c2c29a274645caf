import { memberColumn } from '@emma/contract/resources/membertable.ts'
import { membertableOperations } from '@emma/core/audience/operations.ts'
import { countSegment } from '@emma/core/audience/segments/count-segment.ts'
import { membersTable } from '@emma/core/audience/datasources/datasource.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import type { Rule, RuleGroup } from '@emma/contract/rules.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import { median, openBenchDatabase } from './bench-database.ts'

/**
 * `npm run bench:segment [-- MEMBERS]`: counts segments of 1,000,000 members (conditions on two columns and one behaviour,
 * in several forms) by the rule compiler. Baseline, in alternation: hand-written SQL. The last line is JSON: `vs_sql` is the
 * worst ratio of the times, `ms` the times of the counts.
 */
const MEMBERS = Number(process.argv[2] ?? 1_000_000)
const ROUNDS = 9
const CAMPAIGNS = 10

const database = await openBenchDatabase()
const { db } = database
try {
  const client_id = 1
  await db.insertInto('client').values({ client_id, name: 'Bench' }).execute()
  const made = await membertableOperations.create(db, systemActor(client_id), client_id, {
    name: 'People',
    emmamembertableschema: [
      { column_name: 'city', label: 'City', data_type: 'string' },
      { column_name: 'age', label: 'Age', data_type: 'int' },
      { column_name: 'joined', label: 'Joined', data_type: 'date' },
    ].map(column => memberColumn.parse(column)),
  })
  const id = Number(made.member_table_id)
  await fill(id)
  const shapes = shapesOf(membersTable(id))
  const results: { shape: string; ms: number; sqlMs: number; ratio: number }[] = []
  for (const { name, query, byHand } of shapes) {
    const counted: number[] = []
    const written: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const [count, ms] = await timed(async () => {
        const answer = await countSegment(
          db,
          { clientIds: [client_id] },
          { member_table_id: id, query, total_only: true },
        )
        return answer.total
      })
      const [expected, sqlMs] = await timed(() => countByHand(db, byHand))
      if (count !== expected) throw new Error(`${name}: ${count} by rules, ${expected} by hand`)
      counted.push(ms)
      written.push(sqlMs)
    }
    const row = { shape: name, ms: median(counted), sqlMs: median(written) }
    results.push({ ...row, ratio: row.ms / row.sqlMs })
  }
  console.table(
    results.map(({ shape, ms, sqlMs, ratio }) => ({
      shape,
      'rules, ms': Math.round(ms),
      'by hand, ms': Math.round(sqlMs),
      ratio: ratio.toFixed(2),
    })),
  )
  console.log(
    JSON.stringify({
      bench: 'segment',
      members: MEMBERS,
      vs_sql: Number(Math.max(...results.map(result => result.ratio)).toFixed(3)),
      ms: Object.fromEntries(results.map(result => [result.shape, Math.round(result.ms)])),
    }),
  )
} finally {
  await database.close()
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const start = performance.now()
  const result = await work()
  return [result, performance.now() - start]
}

async function countByHand(on: Db, statement: RawBuilder<unknown>): Promise<number> {
  return on.transaction().execute(async tx => {
    await sql`set local work_mem = '64MB'`.execute(tx)
    const counted = await sql<{ n: number }>`select count(*) as n ${statement}`.execute(tx)
    return counted.rows[0]?.n ?? 0
  })
}

/** Adds members in 20 cities. Each got half of ten campaigns in 60 days, opened a third of these and clicked in a tenth. */
async function fill(id: number): Promise<void> {
  await sql`insert into ${membersTable(id)} (client_id, email, city, age, joined, dateunjoin)
    select 1, 'person.' || n || '@example.com', 'City ' || n % 20, n % 80 + 18, current_date - (n % 1000),
      case when n % 50 = 0 then now() end
    from generate_series(1, ${MEMBERS}) as n`.execute(db)
  await sql`insert into campaign (client_id, campagne_id, name) select 1, n, 'C' || n from generate_series(1, ${CAMPAIGNS}) as n`.execute(
    db,
  )
  await sql`insert into delivery (client_id, campagne_id, member_id, email, state, recorded_at)
    select 1, c, m.member_id, m.email, 'sent', now() - make_interval(days => c * 6)
    from ${membersTable(id)} as m, generate_series(1, ${CAMPAIGNS}) as c where (m.member_id + c) % 2 = 0`.execute(
    db,
  )
  await sql`insert into event (client_id, ts, type, campagne_id, member_table_id, member_id, verdict, device, link_index)
    select 1, d.recorded_at + interval '1 hour', t.type::event_type, d.campagne_id, ${id}, d.member_id,
      (case when d.member_id % 5 = 0 then 'machine' else 'human' end)::hit_verdict, 'mobile', 0
    from delivery as d, (values ('open', 3), ('click', 10)) as t (type, share)
    where hashint8(d.member_id * 31 + d.campagne_id) % t.share = 0`.execute(db)
  for (const table of [membersTable(id), sql`delivery`, sql`event`])
    await sql`vacuum (analyze) ${table}`.execute(db)
}

function shapesOf(
  table: RawBuilder<unknown>,
): { name: string; query: RuleGroup; byHand: RawBuilder<unknown> }[] {
  const active = sql`m.client_id = 1 and m.dateunjoin is null and m.hardbounced_at is null and m.complained_at is null
    and m.doi_state <> 'pending'`
  const town: Rule = { field: 'city', operator: 'in', value: ['City 1', 'City 2', 'City 3'] }
  const age: Rule = { field: 'age', operator: 'between', value: [30, 60] }
  const opened = (mode: 'some' | 'none' | 'atLeast', threshold = 1): Rule => ({
    field: 'opened',
    operator: '=',
    match: { mode, threshold },
    value: { combinator: 'and', rules: [{ field: 'ts', operator: 'inLast', value: 30 }] },
  })
  const both = sql`m.city in ('City 1', 'City 2', 'City 3') and m.age between 30 and 60`
  const openRows = sql`event as e where e.client_id = 1 and e.member_id = m.member_id and e.type = 'open'
    and e.verdict = 'human' and e.ts >= now() - interval '30 days' and e.ts <= now()`
  return [
    {
      name: 'opened in 30 days',
      query: { combinator: 'and', rules: [town, age, opened('some')] },
      byHand: sql`from ${table} as m where ${active} and ${both} and exists (select from ${openRows})`,
    },
    {
      name: 'not opened in 30 days',
      query: { combinator: 'and', rules: [town, age, opened('none')] },
      byHand: sql`from ${table} as m where ${active} and ${both} and not exists (select from ${openRows})`,
    },
    {
      name: 'opened twice in 30 days',
      query: { combinator: 'and', rules: [town, age, opened('atLeast', 2)] },
      byHand: sql`from ${table} as m join (
          select e.member_id from event as e where e.client_id = 1 and e.type = 'open' and e.verdict = 'human'
            and e.ts >= now() - interval '30 days' and e.ts <= now()
          group by e.member_id having count(*) >= 2
        ) as b on b.member_id = m.member_id where ${active} and ${both}`,
    },
    {
      name: 'town or opened, not young',
      query: {
        combinator: 'and',
        rules: [
          { combinator: 'or', rules: [town, opened('some')] },
          { combinator: 'and', not: true, rules: [{ field: 'age', operator: '<', value: 30 }] },
        ],
      },
      byHand: sql`from ${table} as m left join (
          select distinct e.member_id from event as e where e.client_id = 1 and e.type = 'open' and e.verdict = 'human'
            and e.ts >= now() - interval '30 days' and e.ts <= now()
        ) as b on b.member_id = m.member_id
        where ${active} and (m.city in ('City 1', 'City 2', 'City 3') or b.member_id is not null) and not m.age < 30`,
    },
    {
      name: 'campaign sent, not clicked',
      query: {
        combinator: 'and',
        rules: [age, ofCampaign('sent', 'some'), ofCampaign('clicked', 'none')],
      },
      byHand: sql`from ${table} as m where ${active} and m.age between 30 and 60
        and exists (select from delivery as d where d.client_id = 1 and d.campagne_id = 3
          and d.member_id = m.member_id and d.state = 'sent')
        and not exists (select from event as e where e.campagne_id = 3 and e.type = 'click'
          and e.client_id = 1 and e.member_id = m.member_id and e.verdict = 'human')`,
    },
  ]
}

function ofCampaign(field: 'sent' | 'clicked', mode: 'some' | 'none'): Rule {
  return {
    field,
    operator: '=',
    match: { mode },
    value: { combinator: 'and', rules: [{ field: 'campagne_id', operator: '=', value: 3 }] },
  }
}
