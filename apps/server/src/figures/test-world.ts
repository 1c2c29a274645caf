import { randomUUID } from 'node:crypto'
import { readDatasource } from '@emma/core/audience/datasource.ts'
import { refreshMemberTableStats } from '@emma/core/audience/datasource-stats.ts'
import { eraseMember } from '@emma/core/audience/erase-member.ts'
import { campaignOperations } from '@emma/core/campaigns/campaign-operations.ts'
import { moveCampaign } from '@emma/core/campaigns/move-campaign.ts'
import { testContext } from '@emma/core/campaigns/test-campaign.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import type { Sql } from '@emma/db/connection.ts'
import type { TestDatabase } from '@emma/db/test-database.ts'
import { expandCampaign } from '@emma/delivery/1-expand/expand-campaign.ts'
import { claimDue } from '@emma/delivery/2-claim/claim-due.ts'
import { readRecipients } from '@emma/delivery/2-claim/read-recipients.ts'
import { cancelStopped, finishCampaigns, reopenCampaigns } from '@emma/delivery/5-record/close-campaigns.ts'
import { listToMark, markSent } from '@emma/delivery/5-record/mark-sent.ts'
import { recordOutcomes, type Settled, toRecord } from '@emma/delivery/5-record/record-outcomes.ts'
import { recoverLost } from '@emma/delivery/5-record/recover-lost.ts'
import { reportProgress } from '@emma/delivery/5-record/report-progress.ts'
import { resendUnknown, resolveUnknown } from '@emma/delivery/5-record/resolve-unknown.ts'
import { followEvents } from '@emma/delivery/6-react/follow-events.ts'
import { recountSoftBounces } from '@emma/delivery/6-react/soft-bounces.ts'
import { followAll } from '@emma/delivery/6-react/test-follow-all.ts'
import { snapshotCampaign } from '@emma/delivery/campaign-snapshot.ts'
import type { ClaimedRow } from '@emma/delivery/outcome.ts'
import { addCampaign, type House, segmentOf } from '@emma/delivery/test-house.ts'
import { signToken, type Token, verpAddress } from '@emma/mail/token.ts'
import { sql as raw } from 'kysely'
import { expect } from 'vitest'
import * as books from './test-book.ts'
import type { Answer, Book, Campaign, Mail, Person, Tenant } from './test-book.ts'
import { complaint, deliveryReport, type Doors, mailgunCall, type TestEngine } from './test-doors.ts'
import { expectAll } from './test-expected.ts'
import { showAll } from './test-shown.ts'

/** One thing that happens. The numbers choose among what there is at that moment. */
export interface Step {
  what: keyof typeof ACTS
  tenant: number
  campaign: number
  mail: number
  pick: number
  isDoubled: boolean
  isForged: boolean
}

const MINUTE = 60_000
const DAY = 86_400_000
/** People of the two clients; the first of each is the same person. */
const PEOPLE = [5, 3] as const
/** More campaigns than soft bounces that make an address count as dead. */
const MOST_CAMPAIGNS = [7, 2] as const

/** What an engine has claimed, and whether it may have left. */
interface Held {
  row: ClaimedRow
  mail: Mail
  hasBegun: boolean
}

interface World {
  sql: Sql
  database: TestDatabase
  houses: readonly House[]
  doors: Doors
  book: Book
  engine: TestEngine
  held: Held[]
  /** What dead engines had in hand; they may not be dead, and tell later. */
  lost: { row: ClaimedRow; mail: Mail; lease: string }[]
  /** Hits that were answered and are not stored yet. */
  waiting: { mail: Mail; line: Partial<books.Line> & { type: string } }[]
  now: number
  serial: number
}

/** Plays the steps from a clean beginning, and compares all figures after each few of them. */
export async function play(
  database: TestDatabase,
  houses: readonly House[],
  doors: Doors,
  steps: readonly Step[],
): Promise<void> {
  const world = await begin(database, houses, doors)
  try {
    for (const [index, step] of steps.entries()) {
      world.now += MINUTE
      await act(world, step)
      await passTime(world)
      if (index % 9 === 8) await check(world)
    }
    await check(world)
  } finally {
    await world.engine.lease.release()
  }
}

async function begin(database: TestDatabase, houses: readonly House[], doors: Doors): Promise<World> {
  const { sql } = database
  for (const table of [
    'event',
    'delivery',
    'esp_event',
    'engine_journal',
    'engine',
    'internal_blacklist_entry',
    'blacklist_entry',
    'blacklist',
    'test_address',
    'campaign',
  ])
    await raw`delete from ${raw.table(table)}`.execute(sql)
  const tenants: Tenant[] = []
  for (const [index, { clientId, memberTableId }] of houses.entries()) {
    const members = raw.id('members', `t${memberTableId}`)
    await raw`delete from ${members}`.execute(sql)
    const emails = Array.from({ length: PEOPLE[index] ?? 0 }, (_, n) =>
      n === 0 ? 'both@gmx.test' : `p${n}@${index}.test`,
    )
    const { rows } = await raw<{ id: number; email: string }>`
      insert into ${members} (client_id, email) select ${clientId}::int, unnest(${emails}::text[])
      returning member_id as id, email`.execute(sql)
    const tenant: Tenant = { clientId, people: [], seedId: null }
    tenant.people = rows.map(row => ({
      tenant,
      ...row,
      isGone: false,
      isOff: false,
      hardAt: null,
      complainedAt: null,
    }))
    tenants.push(tenant)
  }
  const [first] = tenants
  if (first) first.seedId = await addSeed(sql, first.clientId)
  return {
    sql,
    database,
    houses,
    doors,
    book: { tenants, campaigns: [], lines: [], blocked: new Set() },
    engine: await doors.engine(),
    held: [],
    lost: [],
    waiting: [],
    // The day goes by in minutes that are over: whatever bears a time of today was written just now.
    now: Math.floor(Date.now() / 1000) * 1000 - 6 * 60 * MINUTE,
    serial: 0,
  }
}

async function addSeed(sql: Sql, clientId: number): Promise<number> {
  const { testaddress_id } = await sql
    .insertInto('test_address')
    .values({ client_id: clientId, email: 'seed@own.test', addr_type: 'global_seed' })
    .returning('testaddress_id')
    .executeTakeFirstOrThrow()
  return testaddress_id
}

/** What the clocks of the database and of this process have stamped since the last step bears the time of the book. */
async function passTime({ sql, now, houses }: World): Promise<void> {
  const at = new Date(now)
  const fresh = new Date(Date.now() - 3 * 60 * MINUTE)
  await raw`update event set ts = ${at} where ts > ${fresh}`.execute(sql)
  await raw`update delivery set recorded_at = ${at} where recorded_at > ${fresh}`.execute(sql)
  await raw`update delivery set claimed_at = ${at} where claimed_at > ${fresh}`.execute(sql)
  await raw`update campaign set updated_at = ${at} where updated_at > ${fresh}`.execute(sql)
  for (const { memberTableId } of houses)
    await raw`
      update ${raw.id('members', `t${memberTableId}`)} set hardbounced_at = ${at} where hardbounced_at > ${fresh}`.execute(
      sql,
    )
}

async function act(world: World, step: Step): Promise<void> {
  const tenant = world.book.tenants[step.tenant % 2]
  if (!tenant) return
  const own = world.book.campaigns.filter(campaign => campaign.tenant === tenant)
  const campaign = own[step.campaign % Math.max(1, own.length)]
  if (step.what === 'start') return start(world, tenant, step)
  if (!campaign) return start(world, tenant, step)
  await ACTS[step.what](world, campaign, step)
}

async function start(world: World, tenant: Tenant, { pick }: Step): Promise<void> {
  const index = world.book.tenants.indexOf(tenant)
  const house = world.houses[index]
  const count = world.book.campaigns.filter(campaign => campaign.tenant === tenant).length
  if (!house || count >= (MOST_CAMPAIGNS[index] ?? 0)) return
  const resends = pick % 4 === 0
  const key = await addCampaign(house, { unknown_policy: resends ? 'resend' : 'leave' })
  await expandCampaign(world.sql, key, {
    segmentOf,
    takeSnapshot: (tx, found) => snapshotCampaign(tx, found, () => 'https://news.shop.example'),
  })
  books.addCampaign(world.book, tenant, key.campaignId, resends, world.now)
}

type Act = (world: World, campaign: Campaign, step: Step) => Promise<void>

const ACTS = {
  start: async () => {},
  claim,
  settle,
  crash,
  late,
  pause: (world, campaign) => move(world, campaign, 'pause', ['running'], () => (campaign.state = 'paused')),
  resume: (world, campaign) => move(world, campaign, 'start', ['paused'], () => (campaign.state = 'running')),
  stop: (world, campaign) =>
    move(world, campaign, 'stop', ['running', 'paused'], () => books.stop(campaign, world.now)),
  resend,
  erase,
  remove,
  hit,
  tell,
  storm,
  mailgun,
  returned,
  complain,
  leaveByMail,
  page,
} satisfies Record<string, Act>

export const whats = Object.keys(ACTS).filter((name): name is Step['what'] => name in ACTS)

async function claim(world: World, campaign: Campaign, { pick }: Step): Promise<void> {
  const { sql, engine } = world
  const key = { clientId: campaign.tenant.clientId, campaignId: campaign.id }
  const grant = { ...key, limit: 1 + (pick % 6), buckets: [], parts: [], closed: [] }
  const { rows } = await claimDue(sql, engine.lease.id, [grant])
  const due =
    campaign.state === 'running'
      ? campaign.mails.filter(books.isOpen).filter(mail => mail.state !== 'claimed').length
      : 0
  expect(rows.length).toBe(Math.min(grant.limit, due))
  const memberTableId = houseOf(world, campaign).memberTableId
  for (const recipient of await readRecipients(sql, key.clientId, { memberTableId, columns: [] }, rows)) {
    const { row } = recipient
    const mail = campaign.mails.find(one => one.memberId === row.memberId)
    if (!mail) throw new Error(`Claimed what is not in the book: ${JSON.stringify(row)}`)
    Object.assign(mail, {
      state: 'claimed',
      attempts: mail.attempts + 1,
      lease: engine.lease.id,
      at: world.now,
    })
    expect(row.attempts).toBe(mail.attempts)
    const reason = books.mayWriteTo(mail.person)
    expect('skip' in recipient ? recipient.skip : null).toBe(reason)
    if ('skip' in recipient) {
      await engine.recorder.settle({
        row,
        outcome: { kind: 'skipped', reason: recipient.skip },
        retryScale: 0,
        resendUnknown: campaign.resends,
      })
      Object.assign(mail, { state: 'skipped', reason })
      continue
    }
    const hasBegun = (pick + row.memberId) % 3 > 0
    if (hasBegun) await engine.recorder.begin(row)
    world.held.push({ row, mail, hasBegun })
  }
  await engine.recorder.drained()
}

const ANSWERS: readonly Answer[] = [
  { kind: 'sent', class: 'other', hard: false },
  { kind: 'sent', class: 'other', hard: false },
  { kind: 'sent', class: 'other', hard: false },
  { kind: 'deferred', class: 'quota', hard: false },
  { kind: 'rejected', class: 'bad-mailbox', hard: true },
  { kind: 'rejected', class: 'quota', hard: false },
  { kind: 'rejected', class: 'reputation', hard: false },
  { kind: 'rejected', class: 'other', hard: false },
  { kind: 'unknown', class: 'connection', hard: false },
  { kind: 'returned', class: 'other', hard: false },
]

async function settle(world: World, campaign: Campaign, { pick, isDoubled, isForged }: Step): Promise<void> {
  const { sql, engine, book } = world
  const mine = world.held.filter(held => held.mail.campaign === campaign)
  const some = mine.slice(0, 1 + (pick % 4))
  for (const [index, held] of some.entries()) {
    const said = ANSWERS[(pick + index * 7) % ANSWERS.length]
    if (!said) continue
    if (!held.hasBegun && said.kind !== 'returned') await engine.recorder.begin(held.row)
    const settled = toSettled(held.row, said, campaign)
    // Somebody who is not the engine that has it may say what they like.
    if (isForged) await recordOutcomes(sql, randomUUID(), [toRecord(toSettled(held.row, REFUSAL, campaign))])
    await engine.recorder.settle(settled)
    await engine.recorder.drained()
    if (isDoubled && said.kind !== 'unknown') await recordOutcomes(sql, engine.lease.id, [toRecord(settled)])
    books.answer(book, held.mail, said, world.now)
  }
  world.held = world.held.filter(held => !some.includes(held))
}

const REFUSAL: Answer = { kind: 'rejected', class: 'bad-mailbox', hard: true }

function toSettled(row: ClaimedRow, { kind, ...said }: Answer, { resends }: Campaign): Settled {
  const code = { sent: 250, deferred: 450, rejected: 550, unknown: null, returned: null }[kind]
  const reply = { code, enhanced: null, text: 'said', ...said }
  const outcome = kind === 'returned' ? ({ kind, text: 'away' } as const) : { kind, reply }
  return { row, outcome, retryScale: 0, resendUnknown: resends }
}

/** The engine is gone, with what it had in hand. */
async function crash(world: World): Promise<void> {
  const { sql, engine } = world
  await engine.lease.release()
  await expect
    .poll(async () => {
      await recoverLost(sql)
      return sql.selectFrom('engine').select('lease').execute()
    })
    .toEqual([])
  for (const { row, mail, hasBegun } of world.held) {
    Object.assign(
      mail,
      hasBegun ? { state: 'unknown', at: world.now } : { state: 'pending', attempts: mail.attempts - 1 },
    )
    if (hasBegun) world.lost.push({ row, mail, lease: engine.lease.id })
  }
  world.held = []
  world.engine = await world.doors.engine()
}

/** An engine that was taken for dead says what it knows. */
async function late(world: World, _campaign: Campaign, { pick }: Step): Promise<void> {
  const { sql, lost, book } = world
  const said = ANSWERS.filter(answer => answer.kind !== 'unknown')[pick % 9]
  const index = pick % Math.max(1, lost.length)
  const one = lost[index]
  if (!one || !said || one.mail.campaign.isRemoved) return
  lost.splice(index, 1)
  const { mail, row, lease } = one
  await recordOutcomes(sql, lease, [toRecord(toSettled(row, said, mail.campaign))])
  if (mail.state === 'unknown' && mail.lease === lease && mail.attempts === row.attempts)
    books.answer(book, mail, said, world.now)
}

async function move(
  { sql }: World,
  campaign: Campaign,
  action: 'pause' | 'start' | 'stop',
  from: readonly Campaign['state'][],
  then: () => unknown,
): Promise<void> {
  const { clientId } = campaign.tenant
  const moved = moveCampaign(
    sql,
    systemActor(clientId),
    { clientIds: [clientId] },
    campaign.id,
    action,
    {},
    testContext,
  )
  if (campaign.isRemoved || !from.includes(campaign.state)) {
    await expect(moved).rejects.toMatchObject({ code: campaign.isRemoved ? 'not_found' : 'wrong_state' })
    return
  }
  await moved
  then()
}

async function resend({ sql }: World, campaign: Campaign): Promise<void> {
  const hasUnknown = campaign.mails.some(mail => mail.state === 'unknown')
  if (campaign.isRemoved) return
  const done = resolveUnknown(sql, { clientId: campaign.tenant.clientId, campaignId: campaign.id })
  if (hasUnknown && campaign.state === 'stopped') {
    await expect(done).rejects.toMatchObject({ code: 'wrong_state' })
    return
  }
  expect(await done).toBe(books.resend(campaign))
}

async function erase(world: World, campaign: Campaign, { pick }: Step): Promise<void> {
  const { sql, book, now } = world
  const { clientId, people } = campaign.tenant
  const person = people[pick % people.length]
  // Two stay, so that something goes on.
  if (!person || person.isGone || people.filter(one => !one.isGone).length <= 2) return
  const source = await readDatasource(sql, { clientIds: [clientId] }, houseOf(world, campaign).memberTableId)
  await eraseMember(sql, systemActor(clientId), source, person.id)
  books.forget(book, person, now)
}

async function remove({ sql }: World, campaign: Campaign, { pick }: Step): Promise<void> {
  if (pick % 3 > 0 || campaign.isRemoved) return
  const { clientId } = campaign.tenant
  const removed = campaignOperations.remove(
    sql,
    systemActor(clientId),
    { clientIds: [clientId] },
    campaign.id,
    { revision: null },
  )
  if (campaign.state === 'running') {
    await expect(removed).rejects.toMatchObject({ code: 'wrong_state' })
    return
  }
  await removed
  campaign.isRemoved = true
}

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

/** Who asks, and whom an open and a click of theirs are taken for. */
const READERS = [
  { agent: CHROME, open: 'human', click: 'human', device: 'desktop' },
  { agent: IPHONE, open: 'human', click: 'human', device: 'mobile' },
  { agent: 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)', open: 'human', click: 'machine', device: null },
  { agent: 'Mozilla/5.0', open: 'apple_mpp', click: 'machine', device: null },
  { agent: 'Barracuda Sentinel', open: 'scanner', click: 'scanner', device: null },
  { agent: 'curl/8.5.0', open: 'machine', click: 'machine', device: null },
] as const

/** An open, a click or the view of a mail, once or twice; stored later than answered, sometimes from a dead process's file. */
async function hit(world: World, campaign: Campaign, step: Step): Promise<void> {
  const { doors, now } = world
  const { pick, isDoubled, isForged } = step
  const mail = leftMail(campaign, step)
  const reader = READERS[pick % READERS.length]
  if (!mail?.person || !reader) return
  const token = tokenOf(world, mail)
  if (isForged) {
    // Somebody made it up, or changed it to be about another client; or it is a test's.
    const [other] = world.book.tenants.filter(tenant => tenant !== campaign.tenant)
    const forged = `${token.slice(0, -3)}${token.endsWith('aaa') ? 'bbb' : 'aaa'}`
    for (const wrong of [
      forged,
      tokenOf(world, mail, { kind: 'test' }),
      tokenOf(world, mail, { clientId: other?.clientId ?? 0 }),
    ])
      await doors.ask(`/t/c/${wrong}/1`, { headers: { 'user-agent': CHROME } })
    return
  }
  const type =
    (['open', 'click', 'click', 'view', 'head', 'ahead'] as const)[Math.floor(pick / 7) % 6] ?? 'open'
  const link = mail.person.isGone ? 1 : Math.floor(pick / 50) % 2
  const paths = {
    open: `/t/o/${token}.gif`,
    click: `/t/c/${token}/${link}`,
    view: `/t/b/${token}`,
    head: `/t/o/${token}.gif`,
    ahead: `/t/o/${token}.gif`,
  }
  const address = `203.0.113.${(world.book.campaigns.indexOf(campaign) * 10 + campaign.mails.indexOf(mail)) % 250}`
  const line = lineOf(type, reader, link)
  const times = isDoubled ? 2 : 1
  if (type === 'click' || type === 'open') {
    // Of a mail whose answer is not known yet it would be guessed how fast the reader was.
    if (pick % 5 === 0 && (mail.state === 'sent' || mail.state === 'rejected')) {
      const left = {
        type,
        token,
        at: now,
        linkIndex: type === 'click' ? link : null,
        ip: address,
        userAgent: reader.agent,
        method: 'GET',
        isAhead: false,
        isForwarded: false,
      }
      doors.leave(Array.from({ length: times }, () => left))
      for (let time = 0; time < times; time++) world.waiting.push({ mail, line: { ...line, at: now } })
      return
    }
  }
  for (let time = 0; time < times; time++) {
    const status = await doors.ask(paths[type], {
      method: type === 'head' ? 'HEAD' : 'GET',
      headers: {
        'user-agent': reader.agent,
        'x-forwarded-for': address,
        ...(type === 'ahead' ? { 'sec-purpose': 'prefetch' } : {}),
      },
    })
    expect(status).toBe(type === 'click' ? 302 : 200)
    world.waiting.push({ mail, line })
  }
}

function lineOf(
  type: 'open' | 'click' | 'view' | 'head' | 'ahead',
  reader: (typeof READERS)[number],
  link: number,
) {
  const { device } = reader
  if (type === 'click') return { type, verdict: reader.click, device, link }
  if (type === 'head') return { type: 'open', verdict: 'scanner', device }
  if (type === 'ahead') return { type: 'open', verdict: 'prefetch', device }
  return { type, verdict: reader.open, device }
}

/** What a sending service says, and what it means. */
const NEWS = [
  [{ event: 'delivered' }, { type: 'delivered' }],
  [{ event: 'deferred', response: '450 4.2.1 try again later' }, { type: 'deferred' }],
  [
    { event: 'bounce', type: 'bounce', reason: '550 5.1.1 user unknown' },
    { type: 'bounce', hard: true, class: 'bad-mailbox' },
  ],
  [
    { event: 'bounce', type: 'blocked', reason: '552 5.2.2 mailbox full' },
    { type: 'bounce', class: 'quota' },
  ],
  [
    { event: 'bounce', type: 'blocked', reason: '554 5.7.1 message looks like spam' },
    { type: 'bounce', class: 'spam' },
  ],
  [{ event: 'spamreport' }, { type: 'complaint' }],
  [{ event: 'open' }, { type: 'open', verdict: 'human' }],
  [
    { event: 'open', useragent: IPHONE, ip: '198.51.100.7' },
    { type: 'open', verdict: 'human', device: 'mobile' },
  ],
  [
    { event: 'open', sg_machine_open: true, useragent: CHROME },
    { type: 'open', verdict: 'apple_mpp' },
  ],
  [
    { event: 'click', useragent: CHROME, ip: '198.51.100.7' },
    { type: 'click', verdict: 'human', device: 'desktop' },
  ],
  [
    { event: 'click', useragent: 'Barracuda Sentinel', ip: '198.51.100.7' },
    { type: 'click', verdict: 'scanner' },
  ],
  [{ event: 'unsubscribe' }, { type: 'unsubscribe' }],
] as const

/** Ages of what is told: today, days ago, longer ago than soft bounces count. */
const AGES = [0, 0, 3 * DAY, 40 * DAY]

async function tell(world: World, campaign: Campaign, step: Step): Promise<void> {
  const { pick } = step
  const told = [0, 1, 2].slice(0, 1 + (pick % 3)).flatMap(index => {
    const mail = leftMail(campaign, { ...step, mail: step.mail + index })
    const news = NEWS[(pick + index * 5) % NEWS.length]
    return mail && news ? [{ mail, news, at: world.now - (AGES[(pick + index) % AGES.length] ?? 0) }] : []
  })
  await callSendgrid(world, campaign.tenant, told, step)
}

/** All mails of one person come back at once, as full. */
async function storm(world: World, campaign: Campaign, step: Step): Promise<void> {
  const person = campaign.tenant.people[step.pick % campaign.tenant.people.length]
  const mails = world.book.campaigns.flatMap(one =>
    one.mails.filter(mail => mail.person === person && hasLeft(mail)),
  )
  const full = NEWS[3]
  await callSendgrid(
    world,
    campaign.tenant,
    mails.map(mail => ({ mail, news: full, at: world.now })),
    step,
  )
}

interface Told {
  mail: Mail
  news: (typeof NEWS)[number]
  at: number
}

async function callSendgrid(
  world: World,
  tenant: Tenant,
  told: readonly Told[],
  { isDoubled, isForged, pick }: Step,
): Promise<void> {
  const { doors, book } = world
  if (told.length === 0) return
  const events = told.map(({ mail, news: [said], at }) => ({
    ...said,
    timestamp: at / 1000,
    sg_event_id: `e${world.serial++}`,
    emma: referenceOf(world, mail),
  }))
  if (isForged) {
    const other = book.tenants.find(one => one !== tenant)
    // Another client's service must not say anything of these mails.
    expect(await doors.hook(other?.clientId ?? 0, 'sendgrid', events, false)).toBe(200)
    expect(await doors.hook(tenant.clientId, 'sendgrid', events, true)).toBe(401)
    if (pick % 2 === 0) return
  }
  // In any order, and those told twice within a call count once.
  const call = pick % 2 === 0 ? events : [...events, ...events].toReversed()
  for (let time = 0; time < (isDoubled ? 2 : 1); time++)
    expect(await doors.hook(tenant.clientId, 'sendgrid', call, false)).toBe(200)
  const leaving = told.filter(({ news: [, line] }) => line.type === 'unsubscribe')
  for (const { mail } of leaving) books.leave(book, mail, world.now)
  for (const {
    mail,
    news: [, line],
    at,
  } of told)
    if (line.type !== 'unsubscribe') books.write(book, mail, { ...line, at })
}

async function mailgun(world: World, campaign: Campaign, step: Step): Promise<void> {
  const { doors, book, now } = world
  const mail = leftMail(campaign, step)
  if (!mail) return
  const { clientId } = campaign.tenant
  const id = `m${world.serial++}`
  const data = {
    id,
    event: 'failed',
    severity: 'permanent',
    reason: 'bounce',
    timestamp: now / 1000,
    'user-variables': { emma: referenceOf(world, mail) },
    'delivery-status': { code: 550, message: '5.1.1 The email account does not exist' },
  }
  if (step.isForged) {
    expect(await doors.hook(clientId, 'mailgun', mailgunCall(id, data, true), false)).toBe(401)
    return
  }
  const call = mailgunCall(id, data, false)
  expect(await doors.hook(clientId, 'mailgun', call, false)).toBe(200)
  // Whoever saw the call signs another with it.
  if (step.isDoubled) {
    const stolen = {
      ...data,
      id: `${id} stolen`,
      'user-variables': { emma: referenceOf(world, campaign.mails[0] ?? mail) },
    }
    expect(await doors.hook(clientId, 'mailgun', { ...call, 'event-data': stolen }, false)).toBe(200)
  }
  books.write(book, mail, { type: 'bounce', hard: true, class: 'bad-mailbox', at: now })
}

const REPORTS = [
  [
    { action: 'failed', status: '5.1.1', diagnostic: '550 5.1.1 user unknown' },
    { type: 'bounce', hard: true, class: 'bad-mailbox' },
  ],
  [
    { action: 'failed', status: '5.2.2', diagnostic: '552 5.2.2 mailbox full' },
    { type: 'bounce', class: 'quota' },
  ],
  [{ action: 'delayed', status: '4.2.2', diagnostic: '452 4.2.2 mailbox full' }, { type: 'deferred' }],
  [{ action: 'delivered', status: '2.0.0', diagnostic: '250 2.0.0 delivered' }, { type: 'delivered' }],
] as const

async function returned(world: World, campaign: Campaign, step: Step): Promise<void> {
  const { doors, book, now } = world
  const mail = leftMail(campaign, step)
  const [report, line] = REPORTS[step.pick % REPORTS.length] ?? []
  if (!mail || !report || !line) return
  const path = verpAddress(tokenOf(world, mail), HOST)
  const forged = `b-${'a'.repeat(40)}@${HOST}`
  const to = step.isForged ? forged : path
  for (let time = 0; time < (step.isDoubled ? 2 : 1); time++) {
    await doors.mail(to, deliveryReport(to, mail.person?.email ?? 'seed@own.test', report))
    if (!step.isForged) books.write(book, mail, { ...line, at: now })
  }
}

const HOST = 'bounce.sender.test'

async function complain(world: World, campaign: Campaign, step: Step): Promise<void> {
  const { doors, book, now } = world
  const mail = leftMail(campaign, step)
  if (!mail) return
  const [other] = book.tenants.filter(tenant => tenant !== campaign.tenant)
  const token = step.isForged
    ? tokenOf(world, mail, { clientId: other?.clientId ?? 0 })
    : tokenOf(world, mail)
  const original =
    step.pick % 2 === 0 ? `Message-ID: <${token}@sender.test>` : `Return-Path: <${verpAddress(token, HOST)}>`
  for (let time = 0; time < (step.isDoubled ? 2 : 1); time++) {
    await doors.mail(`fbl@${HOST}`, complaint(`${original}\r\nFrom: news@sender.test`))
    if (!step.isForged) books.write(book, mail, { type: 'complaint', at: now })
  }
}

async function leaveByMail(world: World, campaign: Campaign, step: Step): Promise<void> {
  const mail = leftMail(campaign, step)
  if (!mail) return
  await world.doors.mail(
    verpAddress(tokenOf(world, mail), HOST, 'unsubscribe'),
    'From: somebody@gmx.test\r\nSubject: unsubscribe\r\n\r\n\r\n',
  )
  books.leave(world.book, mail, world.now)
}

/** The pages behind the links: only a POST does anything. */
async function page(world: World, campaign: Campaign, step: Step): Promise<void> {
  const { doors, book, now } = world
  const mail = leftMail(campaign, step)
  if (!mail?.person) return
  const token = tokenOf(world, mail)
  const there = mail.person.isGone ? 404 : 200
  const way = step.pick % 4
  if (way === 0) expect(await doors.ask(`/u/${token}`)).toBe(there)
  if (way === 1)
    for (let time = 0; time < (step.isDoubled ? 2 : 1); time++)
      expect(await doors.ask(`/u/${token}`, { method: 'POST', form: 'List-Unsubscribe=One-Click' })).toBe(
        there,
      )
  if (way === 2)
    expect(await doors.ask(`/u/${token}/preferences`, { method: 'POST', form: 'action=unsubscribe' })).toBe(
      there,
    )
  if (way === 3)
    expect(await doors.ask(`/u/${token}/preferences`, { method: 'POST', form: 'action=subscribe' })).toBe(
      there,
    )
  if (way === 1 || way === 2) books.leave(book, mail, now)
  if (way === 3) books.comeBack(book, mail, now)
}

function hasLeft(mail: Mail): boolean {
  return mail.attempts > 0
}

/** Only of mails that may have left anybody can say anything; those to test addresses are in no figures. */
function leftMail(campaign: Campaign, { mail }: Step): Mail | undefined {
  const left = campaign.mails.filter(one => one.person !== null && hasLeft(one))
  return left[mail % Math.max(1, left.length)]
}

function houseOf({ houses }: World, { tenant }: Campaign): House {
  const found = houses.find(house => house.clientId === tenant.clientId)
  if (!found) throw new Error('A campaign of nobody')
  return found
}

function tokenOf({ doors }: World, { campaign, memberId }: Mail, other: Partial<Token> = {}): string {
  const clientId = campaign.tenant.clientId
  return signToken(doors.tokenKey, {
    kind: 'campaign',
    clientId,
    campaignId: campaign.id,
    memberId,
    ...other,
  })
}

function referenceOf(world: World, mail: Mail): string {
  return verpAddress(tokenOf(world, mail), HOST).split('@')[0] ?? ''
}

/** Lets the house catch up with everything, and compares what it shows with the book. */
async function check(world: World): Promise<void> {
  const { sql, book, houses, doors } = world
  await doors.storeHits()
  for (const { mail, line } of world.waiting) books.write(book, mail, { at: world.now, ...line })
  world.waiting = []
  await passTime(world)
  await Promise.all([followEvents(sql), followEvents(sql)])
  await followAll(sql)
  await resendUnknown(sql, 0)
  await cancelStopped(sql)
  await reopenCampaigns(sql)
  await finishCampaigns(sql)
  await reportProgress(sql, new Map())
  for (const campaign of await listToMark(sql)) await markSent(sql, campaign)
  await recountSoftBounces(sql)
  for (const { clientId, memberTableId } of houses)
    await refreshMemberTableStats(sql, clientId, memberTableId)
  await passTime(world)
  books.catchUp(book, world.now)
  const calendar = await readCalendar(sql)
  for (const [index, tenant] of book.tenants.entries()) {
    const house = houses[index]
    if (!house) continue
    const shown = book.campaigns
      .filter(campaign => campaign.tenant === tenant && !campaign.isRemoved)
      .map(({ id }) => id)
    expect(await showAll(sql, house, shown)).toEqual(expectAll(book, tenant, calendar))
  }
  expect(await readBlocked(sql)).toEqual([...book.blocked].toSorted())
  expect(
    await readTraces(
      sql,
      book.tenants.flatMap(({ people }) => people.filter(({ isGone }) => isGone)),
    ),
  ).toEqual([])
}

async function readCalendar(sql: Sql) {
  const { rows } = await raw<{ month: number; thirtyDays: number }>`
    select extract(epoch from date_trunc('month', now()))::float8 * 1000 as month,
      extract(epoch from (current_date - 29)::timestamptz)::float8 * 1000 as "thirtyDays"`.execute(sql)
  return rows[0] ?? { month: 0, thirtyDays: 0 }
}

async function readBlocked(sql: Sql): Promise<string[]> {
  const { rows } = await raw<{ value: string }>`
    select value from internal_blacklist_entry order by value`.execute(sql)
  return rows.map(row => row.value)
}

/** What log and ledger still say of people who are forgotten. */
async function readTraces(sql: Sql, gone: readonly Person[]): Promise<unknown[]> {
  const { rows } = await raw`
    select type::text, email, ip, user_agent, reply from event
    where member_id = any(${gone.map(({ id }) => id)}::bigint[])
      and (email, ip, user_agent, reply) is distinct from (null, null, null, null)
    union all
    select 'outcome', email, null, null, reply from delivery
    where member_id = any(${gone.map(({ id }) => id)}::bigint[]) and (reply = 'said' or email not like '%.invalid')`.execute(
    sql,
  )
  return rows
}
