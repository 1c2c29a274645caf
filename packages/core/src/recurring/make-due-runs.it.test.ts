import { campaignState, campaignType } from '@emma/contract/campaign-states.ts'
import { learnedTime } from '@emma/contract/learned-time.ts'
import type { Patch } from '@emma/contract/resource-schemas.ts'
import type { recurring } from '@emma/contract/resources/recurring.ts'
import { type Split, split } from '@emma/contract/split.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countSegment } from '../audience/segments/count-segment.ts'
import { audienceQuestion } from '../campaigns/audience-question.ts'
import { addTestTenant, testContext, type TestTenant } from '../test/campaign.ts'
import { listRuns } from './list-runs.ts'
import { makeDueRuns, type RunContext } from './make-due-runs.ts'
import { runsAfter } from './next-runs.ts'
import { readRecurringReport } from './read-recurring-report.ts'
import type { Recurring } from './recurring.ts'
import { recurringOperations, recurringOperationsAt } from './recurring-operations.ts'
import { runNow } from './run-now.ts'

let database: TestDatabase
let tenant: TestTenant
let db: Db
beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
  tenant = await addTestTenant(db)
})
afterAll(() => database.drop())
beforeEach(async () => {
  await sql`update recurring set active = false`.execute(db)
})

const context: RunContext = {
  ...testContext,
  async countRecipients(tx, campaign) {
    const scope = { clientIds: [campaign.client_id] }
    return (await countSegment(tx, scope, audienceQuestion(campaign))).estimated_volume
  },
  onError(_key, error) {
    throw error
  },
}

const daily = { rrule: 'FREQ=DAILY', tz: 'Europe/Berlin', start: '2026-01-01', end: null, time: '09:00' }
const noon = (day: string) => new Date(`${day}T12:00:00Z`)

/** Adds a recurring campaign by the clock `now`. */
function add(now: Date, fields: Patch<typeof recurring> = {}): Promise<Recurring> {
  const { actor, clientId, listId, messageId, domainId, mailclassId } = tenant
  return recurringOperationsAt(() => now).create(db, actor, clientId, {
    name: 'Morning news',
    list_id: listId,
    message_id: messageId,
    domain_id: domainId,
    mailclass_id: mailclassId,
    fromadr: 'news@sender.test',
    schedule: daily,
    ...fields,
  })
}

function find(id: number): Promise<Recurring> {
  return recurringOperations.find(db, tenant.actor, tenant.scope, id)
}

async function runsOf(id: number) {
  const page = await listRuns(db, { clientId: tenant.clientId, recurringId: id }, { limit: 500, offset: 0 })
  return page.data.toReversed()
}

const statesOf = async (id: number) =>
  (await runsOf(id)).map(({ planned_at, state }) => [planned_at.slice(0, 10), state])

describe('a due run', () => {
  test('is a campaign of ctype 2, started with the same check, state and audit log as by a user', async () => {
    const made = await add(noon('2026-01-01'), { throttle: 500, subject: 'Today' })
    expect(made.next_run).toBe('2026-01-02T08:00:00.000Z')
    expect(await makeDueRuns(db, new Date('2026-01-02T07:59:59Z'), context)).toBe(0)
    const at = new Date('2026-01-02T08:00:03Z')
    await makeDueRuns(db, at, context)
    const [run] = await runsOf(made.recurring_id)
    expect(run).toMatchObject({ state: 'started', planned_at: '2026-01-02T08:00:00.000Z', is_manual: false })
    const campaign = await db
      .selectFrom('campaign')
      .selectAll()
      .where('campagne_id', '=', run?.campagne_id ?? 0)
      .executeTakeFirstOrThrow()
    expect(campaign).toMatchObject({
      ctype: campaignType.recurring,
      valid: campaignState.preparing,
      recurring_id: made.recurring_id,
      name: 'Morning news 2026-01-02 09:00',
      subject: 'Today',
      throttle: 500,
      list_id: tenant.listId,
      member_table_id: tenant.memberTableId,
      run_audience: null,
    })
    const log = await db
      .selectFrom('change_log')
      .select('action')
      .where('object', '=', 'campaign')
      .where('object_id', '=', campaign.campagne_id)
      .orderBy('id')
      .execute()
    expect(log.map(({ action }) => action)).toEqual(['create', 'start'])
    expect(await find(made.recurring_id)).toMatchObject({
      next_run: '2026-01-03T08:00:00.000Z',
      last_run: at.toISOString(),
      revision: made.revision,
    })
  })

  test('that fails the check is logged with its faults and told, leaves no campaign, and the next one comes', async () => {
    const made = await add(noon('2026-01-01'))
    await sql`update mailclass set active = false`.execute(db)
    await makeDueRuns(db, noon('2026-01-02'), context)
    await sql`update mailclass set active = true`.execute(db)
    await makeDueRuns(db, noon('2026-01-03'), context)
    const [failed, next] = await runsOf(made.recurring_id)
    expect(failed).toMatchObject({
      state: 'failed',
      campagne_id: null,
      faults: [{ field: 'mailclass_id', code: 'campaign.mailclass_inactive', values: { mailclass: 'bulk' } }],
    })
    expect(next).toMatchObject({ state: 'started' })
    const campaigns = await sql`select from campaign where recurring_id = ${made.recurring_id}`.execute(db)
    expect(campaigns.rows).toHaveLength(1)
    const told = await sql<{ code: string; path: string }>`
      select code, path from notification where path like ${`/recurring/edit/${made.recurring_id}%`}`.execute(
      db,
    )
    expect(told.rows).toEqual([
      { code: 'recurring_failed', path: `/recurring/edit/${made.recurring_id}?tab=runs` },
    ])
  })

  test('R188 fails if the terms were not confirmed in time', async () => {
    const made = await add(noon('2026-01-01'))
    await sql`update client set created_at = '2025-01-01'`.execute(db)
    await sql`
      insert into agb (version, title_en, title_de, title_es, html_en, html_de, html_es, valid_from, published, published_at)
      values ('1', 'A', 'A', 'A', 'A', 'A', 'A', '2025-01-01', true, '2025-01-01')`.execute(db)
    await makeDueRuns(db, noon('2026-01-02'), context)
    await sql`delete from agb`.execute(db)
    const [failed] = await runsOf(made.recurring_id)
    expect(failed).toMatchObject({
      state: 'failed',
      faults: [{ field: 'agb', code: 'campaign.agb_overdue', values: { version: '1', until: '2025-01-15' } }],
    })
  })

  test('without recipients is logged as empty, or fails if it is not skipped', async () => {
    const nobody = await sql<{ list_id: number }>`
      insert into list (client_id, name, member_table_id, query) values (${tenant.clientId}, 'Nobody', ${tenant.memberTableId},
        ${JSON.stringify({ combinator: 'and', rules: [{ field: 'email', operator: '=', value: 'nobody@example.test' }] })}::jsonb)
      returning list_id`.execute(db)
    const list_id = nobody.rows[0]?.list_id ?? 0
    const skipping = await add(noon('2026-01-01'), { list_id })
    const failing = await add(noon('2026-01-01'), { list_id, skip_if_empty: false })
    await makeDueRuns(db, noon('2026-01-02'), context)
    expect(await statesOf(skipping.recurring_id)).toEqual([['2026-01-02', 'empty']])
    expect(await statesOf(failing.recurring_id)).toEqual([['2026-01-02', 'failed']])
  })

  test('a fault of EMMA is reported, changes nothing, and does not hold up the others', async () => {
    const broken = await add(noon('2026-01-01'), { name: 'Broken' })
    const other = await add(noon('2026-01-01'), { name: 'Other' })
    const errors: unknown[] = []
    await makeDueRuns(db, noon('2026-01-02'), {
      ...context,
      countRecipients(tx, campaign) {
        if (campaign.name.startsWith('Broken')) throw new TypeError('bug')
        return context.countRecipients(tx, campaign)
      },
      onError: (key, error) => errors.push([key.recurringId, error]),
    })
    expect(errors).toEqual([[broken.recurring_id, new TypeError('bug')]])
    expect(await runsOf(broken.recurring_id)).toEqual([])
    expect(await statesOf(other.recurring_id)).toEqual([['2026-01-02', 'started']])
    await makeDueRuns(db, noon('2026-01-02'), context)
    expect(await statesOf(broken.recurring_id)).toEqual([['2026-01-02', 'started']])
  })
})

describe('after an outage', () => {
  test('the last missed run is made up for if it is less than 6 hours late', async () => {
    const made = await add(noon('2026-01-01'))
    await makeDueRuns(db, new Date('2026-01-04T13:59:59Z'), context)
    expect(await statesOf(made.recurring_id)).toEqual([
      ['2026-01-02', 'missed'],
      ['2026-01-03', 'missed'],
      ['2026-01-04', 'started'],
    ])
    await makeDueRuns(db, new Date('2026-01-05T14:00:00Z'), context)
    expect((await statesOf(made.recurring_id)).at(-1)).toEqual(['2026-01-05', 'missed'])
    const told = await sql<{ code: string }>`
      select code from notification where path like ${`/recurring/edit/${made.recurring_id}%`}`.execute(db)
    expect(told.rows).toEqual([{ code: 'recurring_missed' }])
  })

  test('nothing is made up for with the policy skip, beyond a restart', async () => {
    const made = await add(noon('2026-01-01'), { missed_policy: 'skip' })
    await makeDueRuns(db, new Date('2026-01-02T08:14:00Z'), context)
    await makeDueRuns(db, new Date('2026-01-03T08:15:00Z'), context)
    expect(await statesOf(made.recurring_id)).toEqual([
      ['2026-01-02', 'started'],
      ['2026-01-03', 'missed'],
    ])
  })

  test('the log of years of missed runs is bounded', async () => {
    const hourly = { ...daily, rrule: 'FREQ=HOURLY', time: '00:00' }
    const made = await add(noon('2026-01-01'), { schedule: hourly })
    await makeDueRuns(db, new Date('2028-01-01T11:30:00Z'), context)
    const runs = await runsOf(made.recurring_id)
    expect(runs).toHaveLength(101)
    expect(runs.at(-1)).toMatchObject({ state: 'started', planned_at: '2028-01-01T11:00:00.000Z' })
  })
})

test('a paused one does not run, and makes up for nothing when it is resumed', async () => {
  const made = await add(noon('2026-01-01'))
  const patch = (active: boolean, day: string) =>
    recurringOperationsAt(() => noon(day)).patch(
      db,
      tenant.actor,
      tenant.scope,
      made.recurring_id,
      { active },
      { revision: null },
    )
  expect((await patch(false, '2026-01-01')).next_run).toBeNull()
  expect(await makeDueRuns(db, noon('2026-01-05'), context)).toBe(0)
  expect((await patch(true, '2026-01-05')).next_run).toBe('2026-01-06T08:00:00.000Z')
})

test('a change of the name keeps a run that is due', async () => {
  const made = await add(noon('2026-01-01'))
  const operations = recurringOperationsAt(() => noon('2026-01-02'))
  const after = await operations.patch(
    db,
    tenant.actor,
    tenant.scope,
    made.recurring_id,
    { name: 'News' },
    { revision: null },
  )
  expect(after.next_run).toBe(made.next_run)
})

test('the last run of a schedule is followed by none', async () => {
  const made = await add(noon('2026-01-01'), { schedule: { ...daily, end: '2026-01-02' } })
  await makeDueRuns(db, noon('2026-01-02'), context)
  expect(await find(made.recurring_id)).toMatchObject({ next_run: null, active: true })
})

describe('run now', () => {
  const run = (id: number, now: string) => runNow(db, tenant.actor, tenant.scope, id, new Date(now), context)

  test('sends besides the planned runs, also while paused, once a minute', async () => {
    const made = await add(noon('2026-01-01'), { active: false })
    const { campagne_id } = await run(made.recurring_id, '2026-01-01T15:10:20Z')
    expect(await runsOf(made.recurring_id)).toMatchObject([
      { planned_at: '2026-01-01T15:10:00.000Z', state: 'started', is_manual: true, campagne_id },
    ])
    await expect(run(made.recurring_id, '2026-01-01T15:10:50Z')).rejects.toMatchObject({ code: 'conflict' })
    await run(made.recurring_id, '2026-01-01T15:11:00Z')
  })

  test('is refused with the errors of the check, and leaves nothing', async () => {
    const made = await add(noon('2026-01-01'))
    await sql`update mailclass set active = false`.execute(db)
    await expect(run(made.recurring_id, '2026-01-01T15:10:20Z')).rejects.toMatchObject({
      fields: [{ code: 'campaign.mailclass_inactive' }],
    })
    await sql`update mailclass set active = true`.execute(db)
    expect(await runsOf(made.recurring_id)).toEqual([])
  })

  test('of another client is not found', async () => {
    const made = await add(noon('2026-01-01'))
    const foreign = { clientIds: [tenant.clientId + 1000] }
    await expect(
      runNow(db, tenant.actor, foreign, made.recurring_id, noon('2026-01-01'), context),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('validation', () => {
  test.each<[string, Patch<typeof recurring>, string, string]>([
    [
      'a rule that never occurs',
      { schedule: { ...daily, rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' } },
      'schedule.rrule',
      'field.never_runs',
    ],
    ['no mail class', { mailclass_id: null }, 'mailclass_id', 'field.required'],
    [
      'a date trigger that is not daily',
      { trigger: 'date_field', date_column: 'born', schedule: { ...daily, rrule: 'FREQ=WEEKLY' } },
      'schedule.rrule',
      'field.daily_rule',
    ],
    ['no date column', { trigger: 'date_field', date_column: 'email' }, 'date_column', 'field.date_column'],
    ['a segment that is not there', { list_id: 999_999 }, 'list_id', 'field.not_there'],
  ])('%s is refused', async (_, fields, field, code) => {
    await addDates()
    await expect(add(noon('2026-01-01'), fields)).rejects.toMatchObject({ fields: [{ field, code }] })
  })
})

/** Adds a date column, once. */
async function addDates(): Promise<void> {
  const { clientId, memberTableId } = tenant
  const table = sql.id('members', `t${memberTableId}`)
  await sql`alter table ${table} add column if not exists born date, add column if not exists bought timestamptz`.execute(
    db,
  )
  for (const [name, type] of [
    ['born', 'date'],
    ['bought', 'datetime'],
  ] as const)
    await sql`
      insert into member_table_column (client_id, member_table_id, column_name, label, data_type)
      select ${clientId}, ${memberTableId}, ${name}, ${name}, ${type}
      where not exists (select from member_table_column where member_table_id = ${memberTableId} and column_name = ${name})`.execute(
      db,
    )
}

describe('a date of the subscriber', () => {
  async function recipientsOn(fields: Patch<typeof recurring>, day: string): Promise<number> {
    const made = await add(noon('2020-01-01'), { trigger: 'date_field', ...fields })
    await sql`update recurring set next_run = ${`${day}T05:00:00Z`} where recurring_id = ${made.recurring_id}`.execute(
      db,
    )
    let counted = -1
    await makeDueRuns(db, noon(day), {
      ...context,
      async countRecipients(tx, campaign) {
        counted = await context.countRecipients(tx, campaign)
        return counted
      },
    })
    await sql`update recurring set active = false where recurring_id = ${made.recurring_id}`.execute(db)
    const [run] = await runsOf(made.recurring_id)
    expect(run?.state).toBe(counted === 0 ? 'empty' : 'started')
    return counted
  }

  test('is compared by day and month, with an offset, on 28 February for 29 February', async () => {
    await addDates()
    const table = sql.id('members', `t${tenant.memberTableId}`)
    await sql`update ${table} set born = case email
      when 'ann1@example.test' then '1990-05-10'::date
      when 'ann2@example.test' then '2000-02-29'::date
      else '2026-05-10'::date end, bought = '2026-03-01T23:30:00Z'`.execute(db)
    const born = { date_column: 'born' }
    expect(await recipientsOn(born, '2026-05-10')).toBe(2)
    expect(await recipientsOn(born, '2026-05-11')).toBe(0)
    expect(await recipientsOn({ ...born, yearly: false }, '2026-05-10')).toBe(1)
    expect(await recipientsOn({ ...born, offset_days: 7 }, '2026-05-17')).toBe(2)
    expect(await recipientsOn({ ...born, offset_days: -7 }, '2026-05-03')).toBe(2)
    expect(await recipientsOn(born, '2026-02-28')).toBe(1)
    expect(await recipientsOn(born, '2028-02-28')).toBe(0)
    expect(await recipientsOn(born, '2028-02-29')).toBe(1)
    // 23:30 in UTC is the next day in Berlin.
    expect(await recipientsOn({ date_column: 'bought', yearly: false }, '2026-03-02')).toBe(3)
  })
})

describe('to the same person again', () => {
  test('counts members who got an earlier run of the same recurring campaign', async () => {
    const made = await add(noon('2026-01-01'), { repeat_to: 'once_ever' })
    await makeDueRuns(db, noon('2026-01-02'), context)
    const [first] = await runsOf(made.recurring_id)
    const table = sql.id('members', `t${tenant.memberTableId}`)
    await sql`
      insert into delivery (client_id, campagne_id, member_id, email, state)
      select client_id, ${first?.campagne_id ?? 0}, member_id, email,
        case email when 'ann1@example.test' then 'sent' when 'ann2@example.test' then 'rejected' else 'skipped' end::delivery_state
      from ${table}`.execute(db)
    const counts: number[] = []
    const counting: RunContext = {
      ...context,
      async countRecipients(tx, campaign) {
        counts.push(await context.countRecipients(tx, campaign))
        return counts.at(-1) ?? 0
      },
    }
    await makeDueRuns(db, noon('2026-01-03'), counting)
    await recurringOperationsAt(() => noon('2026-01-03')).patch(
      db,
      tenant.actor,
      tenant.scope,
      made.recurring_id,
      { repeat_to: 'once_a_period', repeat_days: 1 },
      { revision: null },
    )
    await sql`update campaign set started_at = '2026-01-02T08:00:00Z' where campagne_id = ${first?.campagne_id ?? 0}`.execute(
      db,
    )
    await makeDueRuns(db, noon('2026-01-04'), counting)
    expect(counts).toEqual([2, 3])
  })
})

test('the runs share the send-once key: members who got one are skipped, and nobody is left for an empty run', async () => {
  const made = await add(noon('2026-01-01'), { send_once_key: 'gift' })
  await makeDueRuns(db, noon('2026-01-02'), context)
  const [first] = await runsOf(made.recurring_id)
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, state)
    select client_id, ${first?.campagne_id ?? 0}, member_id, email, 'sent'
    from ${sql.id('members', `t${tenant.memberTableId}`)}`.execute(db)
  await makeDueRuns(db, noon('2026-01-03'), context)
  expect((await runsOf(made.recurring_id)).map(({ state }) => state)).toEqual(['started', 'empty'])
})

describe('an A/B test of the runs', () => {
  const testOf = (...subjects: string[]) =>
    split.parse({ variants: subjects.map(subject => ({ subject })), winner_by: 'opens' })
  const patch = (id: number, next: Split | null, day: string) =>
    recurringOperationsAt(() => noon(day)).patch(
      db,
      tenant.actor,
      tenant.scope,
      id,
      { split: next },
      { revision: null },
    )
  const splitsOf = async (id: number) => {
    const { rows } = await sql<{ split: unknown }>`
      select split from campaign where recurring_id = ${id} order by campagne_id`.execute(db)
    return rows.map(row => row.split)
  }

  test('is copied into each run, which keeps its variants when they are changed for the next ones', async () => {
    const made = await add(noon('2026-01-01'), { split: testOf('B') })
    await makeDueRuns(db, noon('2026-01-02'), context)
    await patch(made.recurring_id, testOf('Other B', 'C'), '2026-01-02')
    await makeDueRuns(db, noon('2026-01-03'), context)
    await patch(made.recurring_id, null, '2026-01-03')
    await makeDueRuns(db, noon('2026-01-04'), context)
    expect(await splitsOf(made.recurring_id)).toEqual([testOf('B'), testOf('Other B', 'C'), null])
  })

  test('is refused with the faults of its fields', async () => {
    await expect(add(noon('2026-01-01'), { split: testOf('B', 'B') })).rejects.toMatchObject({
      fields: [{ field: 'split.variants.1', code: 'field.same_variant' }],
    })
    const learned_time = learnedTime.parse({})
    await expect(add(noon('2026-01-01'), { split: testOf('B'), learned_time })).rejects.toMatchObject({
      fields: [{ field: 'learned_time', code: 'field.times_in_test' }],
    })
    const made = await add(noon('2026-01-01'))
    const foreign = await addTestTenant(db)
    const other = split.parse({ variants: [{ message_id: foreign.messageId }] })
    await expect(patch(made.recurring_id, other, '2026-01-01')).rejects.toMatchObject({
      fields: [{ field: 'split.variants.0.message_id', code: 'field.not_there' }],
    })
  })

  test('a variant that cannot be sent fails the run, and is named', async () => {
    const variants = [{ fromadr: 'news@elsewhere.example' }]
    const made = await add(noon('2026-01-01'), { split: split.parse({ variants }) })
    await makeDueRuns(db, noon('2026-01-02'), context)
    expect(await runsOf(made.recurring_id)).toMatchObject([
      {
        state: 'failed',
        faults: [{ field: 'split', code: 'campaign.in_variant', values: { variant: 'B' } }],
      },
    ])
  })
})

test('the report adds the figures of the runs of a period', async () => {
  const made = await add(noon('2026-01-01'))
  const ids: number[] = []
  for (const day of ['2026-01-02', '2026-01-03']) {
    await makeDueRuns(db, noon(day), context)
    const run = (await runsOf(made.recurring_id)).at(-1)
    ids.push(run?.campagne_id ?? 0)
    await sql`update campaign set started_at = ${noon(day)} where campagne_id = ${ids.at(-1)}`.execute(db)
  }
  await sql`
    insert into delivery (client_id, campagne_id, member_id, email, state)
    select ${tenant.clientId}, id, member, 'a' || member || '@example.test', 'sent'
    from unnest(${ids}::bigint[]) as id, generate_series(1, 3) as member`.execute(db)
  const read = (start_date: string) =>
    readRecurringReport(db, tenant.clientId, {
      recurring_id: made.recurring_id,
      start_date,
      end_date: '2026-01-31',
      limit: 10,
      offset: 0,
    })
  expect(await read('2026-01-01')).toMatchObject({
    total: 1,
    data: [{ runs: 2, nb_send: 6, nb_delivered: 6 }],
  })
  expect(await read('2026-01-03')).toMatchObject({ data: [{ runs: 1, nb_send: 3 }] })
  await expect(read('2020-01-01')).rejects.toMatchObject({ code: 'invalid' })
})

test('two machines that are killed and restarted at any moment make each run once, on its minute', async () => {
  const quick: RunContext = { ...context, countRecipients: async () => 1 }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'),
      fc.integer({ min: 0, max: 1439 }),
      fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 10, maxLength: 10 }),
      fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
      async (tz, minute, steps, kills) => {
        await sql`update recurring set active = false`.execute(db)
        const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
        // Begins before a change of the clock in each of the zones.
        const start = new Date('2027-03-12T00:00:00Z')
        const schedule = { ...daily, rrule: 'FREQ=HOURLY;INTERVAL=5', tz, time, start: '2027-03-12' }
        const made = await add(start, { schedule })
        let now = start.getTime()
        for (const [index, step] of steps.entries()) {
          now += step * 60_000
          const clock = new Date(now)
          if (kills[index]) await killed(tx => makeDueRuns(tx, clock, quick))
          await Promise.all([makeDueRuns(db, clock, quick), makeDueRuns(db, clock, quick)])
        }
        const planned: { at: string }[] = []
        for (const run of runsAfter(made, start)) {
          if (Date.parse(run.at) > now) break
          planned.push(run)
        }
        const runs = await runsOf(made.recurring_id)
        expect(runs.map(({ planned_at }) => planned_at)).toEqual(planned.map(({ at }) => at))
        const campaigns = await sql`select from campaign where recurring_id = ${made.recurring_id}`.execute(
          db,
        )
        expect(campaigns.rows).toHaveLength(runs.filter(({ state }) => state === 'started').length)
      },
    ),
    { numRuns: 6 },
  )
})

class Killed extends Error {}

/** Work of a machine that dies before it commits. */
async function killed(work: (tx: Db) => Promise<unknown>): Promise<void> {
  await transaction(db, async tx => {
    await work(tx)
    throw new Killed()
  }).catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error
  })
}
