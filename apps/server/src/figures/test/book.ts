import type { ReplyClass } from '@emma/mail/smtp/reply-rules.ts'

/**
 * Independent model of all figures: every message and every event is a line, and each figure is counted from the
 * lines by its definition in the specification (domain.md 2A, 2C, 2F), never by the product's queries.
 */
export interface Book {
  readonly tenants: readonly Tenant[]
  readonly campaigns: Campaign[]
  readonly lines: Line[]
}

export interface Tenant {
  clientId: number
  people: Person[]
  /** A test subscriber who gets a copy of every message. */
  seedId: number | null
}

export interface Person {
  tenant: Tenant
  id: number
  email: string
  isGone: boolean
  isOff: boolean
  hardAt: number | null
  complainedAt: number | null
}

export type CampaignState = 'running' | 'paused' | 'stopped' | 'finished'

export interface Campaign {
  tenant: Tenant
  id: number
  state: CampaignState
  isRemoved: boolean
  resends: boolean
  mails: Mail[]
  /** Members' messages with a final state, as last reported; cancelled ones are not included. */
  progress: number
}

export type MailState =
  | 'pending'
  | 'claimed'
  | 'sent'
  | 'deferred'
  | 'rejected'
  | 'unknown'
  | 'skipped'
  | 'cancelled'

export interface Mail {
  campaign: Campaign
  /** Null: the test subscriber. */
  person: Person | null
  memberId: number
  state: MailState
  reason: string | null
  /** Skipped at expansion: not part of the volume. */
  isLeftOut: boolean
  attempts: number
  /** Time of the current state. */
  at: number
  /** The engine that has, or had, claimed it. */
  lease: string | null
}

export interface Line {
  mail: Mail
  type: string
  at: number
  hard: boolean
  class: string | null
  verdict: string | null
  device: string | null
  link: number | null
  /** Reply during delivery, not a later report. */
  isAnswer: boolean
  isFollowed: boolean
}

/** Attempts after which a deferred message is given up: 5 minutes, doubled, at most 12 hours, for 48 hours. */
const MOST_ATTEMPTS = 11

/** Replies about the sender or the message say nothing about the address. */
const ABOUT_US = ['policy', 'reputation', 'spam', 'content', 'rate', 'filtered']

const DAY = 86_400_000

export function addCampaign(book: Book, tenant: Tenant, id: number, resends: boolean, now: number): void {
  const campaign: Campaign = {
    tenant,
    id,
    state: 'running',
    isRemoved: false,
    resends,
    mails: [],
    progress: 0,
  }
  const mail = (person: Person | null, memberId: number, reason: string | null): Mail => ({
    campaign,
    person,
    memberId,
    state: reason === null ? 'pending' : 'skipped',
    reason,
    isLeftOut: reason !== null,
    attempts: 0,
    at: now,
    lease: null,
  })
  for (const person of tenant.people)
    if (!person.isGone) campaign.mails.push(mail(person, person.id, mayWriteTo(person)))
  if (tenant.seedId !== null) campaign.mails.push(mail(null, -tenant.seedId, null))
  book.campaigns.push(campaign)
}

/** Reason why a person must not be sent to; null if allowed. */
export function mayWriteTo(person: Person | null): string | null {
  if (person === null) return null
  if (person.isGone || person.isOff) return 'unsubscribed'
  if (person.hardAt !== null) return 'hardbounce'
  return person.complainedAt === null ? null : 'complaint'
}

export interface Answer {
  kind: 'sent' | 'deferred' | 'rejected' | 'unknown' | 'returned'
  class: ReplyClass
  hard: boolean
}

/** Applies the reply of a receiver, or its absence, to a message in flight. */
export function answer(book: Book, mail: Mail, { kind, ...said }: Answer, now: number): void {
  mail.at = now
  if (kind === 'returned') {
    mail.state = 'pending'
    mail.attempts--
    return
  }
  const isTriedAgain =
    kind === 'deferred' || (kind === 'unknown' && mail.campaign.resends && mail.attempts < 3)
  if (isTriedAgain && mail.attempts < MOST_ATTEMPTS) mail.state = 'deferred'
  else mail.state = kind === 'deferred' ? 'rejected' : kind
  if (mail.state === 'deferred') write(book, mail, { type: 'deferred', at: now, ...said })
  if (mail.state === 'rejected') write(book, mail, { type: 'bounce', at: now, isAnswer: true, ...said })
}

export function write(book: Book, mail: Mail, line: Partial<Line> & { type: string; at: number }): void {
  const blank = {
    hard: false,
    class: null,
    verdict: null,
    device: null,
    link: null,
    isAnswer: false,
    isFollowed: false,
  }
  book.lines.push({ ...blank, ...line, mail })
}

/** Unsubscribes a person through a message; without effect if already unsubscribed. */
export function leave(book: Book, mail: Mail, now: number): void {
  if (!mail.person || mail.person.isGone || mail.person.isOff) return
  mail.person.isOff = true
  write(book, mail, { type: 'unsubscribe', at: now })
}

export function comeBack(book: Book, mail: Mail, now: number): void {
  if (!mail.person || mail.person.isGone || !mail.person.isOff) return
  mail.person.isOff = false
  write(book, mail, { type: 'join', at: now })
}

export function stop(campaign: Campaign, now: number): void {
  campaign.state = 'stopped'
  cancel(campaign, now)
}

/** Cancels all unsent messages. */
export function cancel(campaign: Campaign, now: number): void {
  for (const mail of campaign.mails) if (isWaiting(mail)) Object.assign(mail, { state: 'cancelled', at: now })
}

/** Erases the person; the campaign figures stay. */
export function forget(book: Book, person: Person, now: number): void {
  person.isGone = true
  for (const mail of book.campaigns.flatMap(campaign => campaign.mails))
    if (mail.person === person && isWaiting(mail)) Object.assign(mail, { state: 'cancelled', at: now })
}

/** Resends all unknown messages, and reopens a finished campaign. Returns their number. */
export function resend(campaign: Campaign): number {
  const unknown = campaign.mails.filter(mail => mail.state === 'unknown')
  for (const mail of unknown) Object.assign(mail, { state: 'pending', lease: null })
  if (unknown.length > 0 && campaign.state === 'finished') campaign.state = 'running'
  return unknown.length
}

/** Background jobs of the installation, in their order. */
export function catchUp(book: Book, now: number): void {
  follow(book, now)
  for (const campaign of book.campaigns) {
    const left = campaign.mails.filter(mail => mail.state === 'unknown' && mail.attempts < 3)
    if (campaign.state === 'running' && campaign.resends)
      for (const mail of left) Object.assign(mail, { state: 'pending', lease: null })
    if (campaign.state === 'stopped') stop(campaign, now)
    if (campaign.state === 'finished' && campaign.mails.some(isWaiting)) campaign.state = 'running'
    if (campaign.state === 'running' && !campaign.mails.some(isOpen)) campaign.state = 'finished'
    campaign.progress = progressOf(campaign)
  }
}

/** Progress of a stopped campaign is reported when its last message in flight has finished. */
function progressOf({ state, mails, progress }: Campaign): number {
  const wanted = mails.filter(isCountedOn)
  if (state === 'finished') return wanted.length
  if (state !== 'stopped') return wanted.length - wanted.filter(isOpen).length
  if (wanted.some(mail => mail.state === 'claimed')) return progress
  return wanted.length - wanted.filter(mail => mail.state === 'cancelled').length
}

/** A member's message that is part of the campaign's volume. */
export function isCountedOn({ person, isLeftOut }: Mail): boolean {
  return person !== null && !isLeftOut
}

function follow(book: Book, now: number): void {
  const fresh = book.lines.filter(line => !line.isFollowed)
  for (const line of fresh) {
    line.isFollowed = true
    const { person } = line.mail
    if (!person || person.isGone) continue
    if (line.type === 'bounce' && line.hard) person.hardAt = earlier(person.hardAt, line.at)
    if (line.type === 'complaint') person.complainedAt = earlier(person.complainedAt, line.at)
  }
  const isSoft = (line: Line) => line.type === 'bounce' && !line.hard
  for (const person of new Set(fresh.filter(isSoft).map(line => line.mail.person)))
    if (person && softBouncesOf(book, person) >= 5) person.hardAt ??= now
}

/** Soft bounces of the last 30 days about the person's address, after the last delivered message. */
export function softBouncesOf(book: Book, person: Person): number {
  const bounces = book.lines.filter(line => line.mail.person === person && line.type === 'bounce')
  const arrived = book.campaigns
    .flatMap(campaign => campaign.mails)
    .filter(
      mail => mail.person === person && mail.state === 'sent' && !bounces.some(line => line.mail === mail),
    )
    .map(mail => mail.at)
  const counted = bounces.filter(
    line =>
      !line.hard &&
      !ABOUT_US.includes(line.class ?? '') &&
      line.at > Date.now() - 30 * DAY &&
      line.at > Math.max(...arrived, 0),
  )
  return new Set(counted.map(line => line.mail)).size
}

export function isWaiting({ state }: Mail): boolean {
  return state === 'pending' || state === 'deferred'
}

export function isOpen(mail: Mail): boolean {
  return isWaiting(mail) || mail.state === 'claimed'
}

function earlier(one: number | null, other: number): number {
  return one === null ? other : Math.min(one, other)
}
