import { verpAddress } from '@emma/mail/token.ts'
import { expect } from 'vitest'
import * as books from './book.ts'
import type { Campaign, Mail, Tenant } from './book.ts'
import { complaint, deliveryReport, mailgunCall } from './doors.ts'
import { CHROME, IPHONE } from './reader-acts.ts'
import { hasLeft, HOST, leftMail, referenceOf, type Step, tokenOf, type World } from './world.ts'

const DAY = 86_400_000
/** ESP events, and their meaning. */
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

/** Ages of events: today, days ago, too old for counting soft bounces. */
const AGES = [0, 0, 3 * DAY, 40 * DAY]

export async function tell(world: World, campaign: Campaign, step: Step): Promise<void> {
  const { pick } = step
  const told = [0, 1, 2].slice(0, 1 + (pick % 3)).flatMap(index => {
    const mail = leftMail(campaign, { ...step, mail: step.mail + index })
    const news = NEWS[(pick + index * 5) % NEWS.length]
    return mail && news ? [{ mail, news, at: world.now - (AGES[(pick + index) % AGES.length] ?? 0) }] : []
  })
  await callSendgrid(world, campaign.tenant, told, step)
}

/** All messages of one person bounce at once, mailbox full. */
export async function storm(world: World, campaign: Campaign, step: Step): Promise<void> {
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
    // Another client's webhook must not change these messages.
    expect(await doors.hook(other?.clientId ?? 0, 'sendgrid', events, false)).toBe(200)
    expect(await doors.hook(tenant.clientId, 'sendgrid', events, true)).toBe(401)
    if (pick % 2 === 0) return
  }
  // In any order; repeated events of a call count once.
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

export async function mailgun(world: World, campaign: Campaign, step: Step): Promise<void> {
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
  // An attacker who saw the call signs another one with its token.
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

export async function returned(world: World, campaign: Campaign, step: Step): Promise<void> {
  const { doors, book, now } = world
  const mail = leftMail(campaign, step)
  const [report, line] = REPORTS[step.pick % REPORTS.length] ?? []
  if (!mail || !report || !line) return
  const path = verpAddress(tokenOf(world, mail, {}, 'return'), HOST)
  const forged = `b-${'a'.repeat(40)}@${HOST}`
  const to = step.isForged ? forged : path
  for (let time = 0; time < (step.isDoubled ? 2 : 1); time++) {
    const code = await doors.mail(to, deliveryReport(to, mail.person?.email ?? 'seed@own.test', report))
    expect(code).toBe(step.isForged ? 550 : 250)
    if (!step.isForged) books.write(book, mail, { ...line, at: now })
  }
}

export async function complain(world: World, campaign: Campaign, step: Step): Promise<void> {
  const { doors, book, now } = world
  const mail = leftMail(campaign, step)
  if (!mail) return
  const [other] = book.tenants.filter(tenant => tenant !== campaign.tenant)
  const token = step.isForged
    ? tokenOf(world, mail, { clientId: other?.clientId ?? 0 }, 'return')
    : tokenOf(world, mail, {}, 'return')
  const original =
    step.pick % 2 === 0 ? `Message-ID: <${token}@sender.test>` : `Return-Path: <${verpAddress(token, HOST)}>`
  for (let time = 0; time < (step.isDoubled ? 2 : 1); time++) {
    expect(await doors.mail(`fbl@${HOST}`, complaint(`${original}\r\nFrom: news@sender.test`))).toBe(250)
    if (!step.isForged) books.write(book, mail, { type: 'complaint', at: now })
  }
}

export async function leaveByMail(world: World, campaign: Campaign, step: Step): Promise<void> {
  const mail = leftMail(campaign, step)
  if (!mail) return
  const code = await world.doors.mail(
    verpAddress(tokenOf(world, mail), HOST, 'unsubscribe'),
    'From: somebody@gmx.test\r\nSubject: unsubscribe\r\n\r\n\r\n',
  )
  expect(code).toBe(250)
  books.leave(world.book, mail, world.now)
}
