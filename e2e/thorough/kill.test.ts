import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTP_DEPTH } from '@emma/mail/smtp/client.ts'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, type Json, openApi, until } from '../api-session.ts'
import type { RunningEmma } from '../launch-emma.ts'
import { pidOf } from '../pid-of.ts'
import { startEmma } from '../start-emma.ts'

/** Kills processes of the whole program one after the other; its supervisor has to recover. */

const SEED = Number(process.env.EMMA_KILL_SEED ?? Math.floor(Math.random() * 2 ** 31))
const PEOPLE = 1_500
const ROLES = ['engine', 'api', 'testbed', 'database', 'inbound', 'tracking', 'jobs'] as const
const ROUNDS = process.env.CI ? 12 : 4
/** Connections of the first mail class × messages in flight on each (docs/reliability.md). */
const MOST_IN_FLIGHT = 10 * SMTP_DEPTH

let emma: RunningEmma
let api: ApiSession
let shared: Json

beforeAll(async () => {
  emma = await startEmma({ fresh: true })
  api = await openApi(emma)
  shared = await addPeople()
})
afterAll(() => emma?.stop())

test('SIGKILL of any role, the database, and during a start: each recipient has one state and at most one message', async () => {
  console.info(`EMMA_KILL_SEED=${SEED}`)
  const random = randomFrom(SEED)
  const id = await addCampaign('all', { throttle: 3_000, throttle_unit: 'minute' })
  await api.post(`/emma/campaign/${id}/start`)
  await until(
    () => report(id),
    now => now.nb_send > 0,
  )
  let costly = 0
  const begun: number[] = []
  const first = Math.floor(random() * ROLES.length)
  for (let round = 0; round < ROUNDS; round++) {
    const role = ROLES[(first + round) % ROLES.length] ?? 'engine'
    await sleep(random() * 800)
    // The previous kill may have ended this role, too: waits for its restart.
    await isBack(role)
    if (role === 'api') begun.push(await startUnderFire(`few-${begun.length + 1}`, random() * 60))
    else process.kill(pidOf(emma, role), 'SIGKILL')
    if (['engine', 'testbed', 'database'].includes(role)) costly++
    await isBack(role)
  }

  for (const one of [id, ...begun]) {
    const last = await isThrough(one)
    expect(last.nb_send + last.nb_unknown).toBe(last.nb_recipients)
    const copies = copiesFor(one === id ? 'all' : `few-${begun.indexOf(one) + 1}`)
    expect([...copies.values()].filter(count => count > 1)).toEqual([])
    const sent = await recipients(one, 'sent')
    expect(sent.filter(email => !copies.has(email))).toEqual([])
    const unknown = await recipients(one, 'unknown')
    expect(unknown.length).toBeLessThanOrEqual(costly * MOST_IN_FLIGHT)
    expect([...copies.keys()].filter(email => !sent.includes(email) && !unknown.includes(email))).toEqual([])
    // Every recipient was sent to.
    expect(sent.length + unknown.length).toBe(one === id ? PEOPLE : 20)
  }
})

test('a schedule that comes due during downtime runs once after the restart', async () => {
  const id = await addCampaign('later')
  const startdate = new Date(Date.now() + 10_000).toISOString()
  expect((await api.post(`/emma/campaign/${id}/start`, { startdate })).valid).toBe(1)
  await emma.kill()
  process.kill(pidOf(emma, 'database'), 'SIGKILL')
  await sleep(Math.max(0, Date.parse(startdate) - Date.now()) + 1_000)
  expect(copiesFor('later').size).toBe(0)
  await emma.restart()
  api = await openApi(emma)
  const last = await isThrough(id)
  expect(last).toMatchObject({ nb_recipients: 20, nb_send: 20, nb_unknown: 0 })
  expect([...copiesFor('later').values()]).toEqual(Array.from({ length: 20 }, () => 1))
})

test('a run that comes due, a run sent now and the winner of an A/B test happen once, whatever is killed meanwhile', async () => {
  const random = randomFrom(SEED)
  const due = nextMinute()
  const planned = await addRecurring('planned', {
    rrule: 'FREQ=HOURLY',
    time: due.toISOString().slice(11, 16),
  })
  const manual = await addRecurring('manual', { rrule: 'FREQ=YEARLY', time: '12:00' })
  const split = await addCampaign('split', {
    split: { variants: [{ subject: 'Good day' }], sample_percent: 50, winner_by: 'person' },
  })
  await api.post(`/emma/campaign/${split}/start`)
  await until(
    () => splitReport(split),
    ({ sampled_at }) => sampled_at !== null,
  )

  const decide = () => api.post(`/v2/emma/client/1/campaign/${split}/split-winner`, { variant: 1 })
  await underFire('engine', random() * 60, decide)
  if ((await splitReport(split)).winner === null) await decide()
  const runNow = () => api.post(`/recurring/${manual}/run`)
  await underFire('database', random() * 60, runNow)
  if ((await runsOf(manual)).length === 0) await runNow()

  // From shortly before the run is due.
  await sleep(Math.max(0, due.getTime() - Date.now() - 500))
  for (const role of ['jobs', 'database', 'jobs', 'engine'] as const) {
    await sleep(random() * 800)
    await isBack(role)
    process.kill(pidOf(emma, role), 'SIGKILL')
  }
  await isBack('database')
  await until(
    () => runsOf(planned),
    runs => runs.length > 0,
  )

  const campaigns: Record<string, number> = { split }
  for (const [group, id] of Object.entries({ planned, manual })) {
    const runs = await runsOf(id)
    expect(runs).toMatchObject([{ state: 'started' }])
    campaigns[group] = runs[0]?.campagne_id
  }
  expect(await runsOf(planned)).toMatchObject([{ planned_at: due.toISOString() }])
  for (const [group, id] of Object.entries(campaigns)) {
    const { nb_send, nb_unknown } = await isThrough(id)
    expect(nb_send + nb_unknown).toBe(20)
    const copies = copiesFor(group)
    expect([...copies.values()].filter(count => count > 1)).toEqual([])
    const sent = await recipients(id, 'sent')
    expect(sent.filter(email => !copies.has(email))).toEqual([])
    const unknown = await recipients(id, 'unknown')
    expect([...copies.keys()].filter(email => !sent.includes(email) && !unknown.includes(email))).toEqual([])
  }

  expect((await splitReport(split)).winner).toBe(1)
  const { data: log } = await api.get(`/v2/emma/client/1/campaign/${split}/c-m-u-history`)
  expect(log.filter(({ changes }: Json) => changes?.split_winner)).toHaveLength(1)
  const subjects = subjectsFor('split')
  for (const [part, count] of Object.entries({ A: 5, B: 5, rest: 10 })) {
    const { data } = await api.get(`/emma/report/${split}/recipients?variant=${part}`)
    expect(data).toHaveLength(count)
    // Mails of an unknown state may have arrived or not.
    const received = data.filter(({ email, state }: Json) => state === 'sent' || subjects.has(email))
    const subject = part === 'A' ? 'Hello' : 'Good day'
    expect(received.map(({ email }: Json) => subjects.get(email))).toEqual(received.map(() => subject))
  }
})

function splitReport(id: number): Promise<Json> {
  return api.get(`/v2/emma/client/1/campaign/${id}/split-report`)
}

/** Calls the API, and kills it and a role `after` ms. The call has had its effect or not. */
async function underFire(
  role: (typeof ROLES)[number],
  after: number,
  call: () => Promise<unknown>,
): Promise<void> {
  const answer = call().catch(() => null)
  await sleep(after)
  process.kill(pidOf(emma, role), 'SIGKILL')
  process.kill(pidOf(emma, 'api'), 'SIGKILL')
  await answer
  await isBack(role)
  await isBack('api')
}

/** The next full minute that is at least ten seconds away. */
function nextMinute(): Date {
  return new Date(Math.ceil((Date.now() + 10_000) / 60_000) * 60_000)
}

async function runsOf(id: number): Promise<Json[]> {
  return (await api.get(`/recurring/${id}/runs/`)).data
}

async function addRecurring(group: string, schedule: Json): Promise<number> {
  const { recurring_id } = await api.post('/recurring/', {
    ...(await contentOf(group)),
    active: true,
    schedule: { tz: 'UTC', start: new Date().toISOString().slice(0, 10), ...schedule },
  })
  return recurring_id
}

/** Starts a campaign and kills the API meanwhile. The start has happened or not; it is requested again. */
async function startUnderFire(group: string, after: number): Promise<number> {
  const id = await addCampaign(group)
  const asked = api.post(`/emma/campaign/${id}/start`).catch(() => null)
  await sleep(after)
  process.kill(pidOf(emma, 'api'), 'SIGKILL')
  await asked
  await isBack('api')
  const { valid } = await api.get(`/emma/campaign/${id}`)
  if (valid === 0) await api.post(`/emma/campaign/${id}/start`)
  return id
}

/** Creates a datasource whose members are grouped by the first word of their address after `ok-`. */
async function addPeople(): Promise<Json> {
  const table = await api.post('/emma/membertable/', { name: 'Kills' })
  const { member_table_id } = table
  await api.patch(`/emma/membertable/${member_table_id}`, {
    emmamembertableschema: [
      ...table.emmamembertableschema,
      { column_name: 'people', label: 'People', data_type: 'string', length: 20 },
    ],
  })
  const groups = [
    ...repeat('all', PEOPLE),
    ...['few-1', 'few-2', 'later', 'planned', 'manual', 'split'].flatMap(name => repeat(name, 20)),
  ]
  const csv = ['email;people', ...groups.map((name, row) => `ok-${name}-${row}@gmx.test;${name}`)].join(
    '\r\n',
  )
  const upload = await api.upload(
    '/v2/dataupload/',
    { member_table_id, mode: 'upsert' },
    new TextEncoder().encode(csv),
    'people.csv',
  )
  await api.post(`/dataupload/${upload.id}/start`)
  await until(
    () => api.get(`/dataupload/${upload.id}`),
    state => state.status === 3,
  )
  const message = await api.post('/emma/message/', {
    name: 'Kills',
    subject: 'Hello',
    body_long:
      '<html><body><p>Hello</p><p>{{ module.imprint }} <a href="{{ link.unsubscribe }}">Unsubscribe</a></p></body></html>',
  })
  const [domain] = (await api.get('/emma/domain/')).data
  const [mailclass] = (await api.get('/emma/mailclass/')).data
  return {
    member_table_id,
    message_id: message.message_id,
    domain_id: domain.domain_id,
    mailclass_id: mailclass.mailclass_id,
  }
}

async function addCampaign(group: string, fields: Json = {}): Promise<number> {
  const { campagne_id } = await api.post('/emma/campaign/', { ...(await contentOf(group)), ...fields })
  return campagne_id
}

/** Fields of a campaign to the members of a group. */
async function contentOf(group: string): Promise<Json> {
  const { member_table_id, ...content } = shared
  const { list_id } = await api.post('/emma/list/', {
    name: group,
    member_table_id,
    query: { combinator: 'and', rules: [{ field: 'people', operator: '=', value: group }] },
  })
  return { name: group, list_id, fromadr: 'hello@northwind.test', fromname: 'Kills', ...content }
}

function report(id: number): Promise<Json> {
  return api.get(`/emma/report/${id}`)
}

/** Waits until the role runs and answers; after a restart it may be busy with recovery. */
async function isBack(role: string): Promise<void> {
  await until(
    async () => {
      try {
        if (role === 'database') await sleep(200)
        return pidOf(emma, role) > 0 && (await api.get('/emma/campaign/')).data.length > 0
      } catch {
        return false
      }
    },
    isUp => isUp,
  )
}

function isThrough(id: number): Promise<Json> {
  return until(
    () => report(id).catch(() => ({ valid: -1 })),
    now => now.valid === 3,
    300,
  )
}

async function recipients(id: number, state: string): Promise<string[]> {
  const csv = await api.text(`/emma/report/download/${id}?state=${state}`)
  const rows = csv.trim().split('\n').slice(1)
  return rows.map(line => (line.split(',')[1] ?? '').toLowerCase())
}

function copiesFor(group: string): Map<string, number> {
  const mailboxes = openMailboxes(join(emma.dataFolder, 'testbed'))
  const copies = new Map<string, number>()
  for (const { recipient, outcome } of mailboxes.readLog())
    if (outcome === 'accepted' && recipient.startsWith(`ok-${group}-`))
      copies.set(recipient, (copies.get(recipient) ?? 0) + 1)
  mailboxes.close()
  return copies
}

/** Subjects of the stored messages by recipient. */
function subjectsFor(group: string): Map<string, string> {
  const mailboxes = openMailboxes(join(emma.dataFolder, 'testbed'))
  const { rows } = mailboxes.listMessages({ search: `ok-${group}-`, limit: 100 })
  mailboxes.close()
  return new Map(rows.map(({ recipient, subject }) => [recipient, subject]))
}

function repeat(name: string, times: number): string[] {
  return Array.from({ length: times }, () => name)
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
