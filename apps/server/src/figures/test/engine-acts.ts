import { randomUUID } from 'node:crypto'
import { readDatasource } from '@emma/core/audience/datasources/datasource.ts'
import { eraseMember } from '@emma/core/audience/members/erase-member.ts'
import { campaignOperations } from '@emma/core/campaigns/campaign-operations.ts'
import { moveCampaign } from '@emma/core/campaigns/move-campaign.ts'
import { testContext } from '@emma/core/test/campaign.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import { claimDue } from '@emma/delivery/2-claim/claim-due.ts'
import { readRecipients } from '@emma/delivery/2-claim/read-recipients.ts'
import { recordOutcomes, type Settled, toRecord } from '@emma/delivery/5-record/record-outcomes.ts'
import { recoverDeadEngines } from '@emma/delivery/5-record/recover-dead-engines.ts'
import { resolveUnknown } from '@emma/delivery/5-record/resolve-unknown.ts'
import type { ClaimedRow } from '@emma/delivery/model/outcome.ts'
import { expect } from 'vitest'
import * as books from './book.ts'
import type { Answer, Campaign } from './book.ts'
import { clientOf, type Step, type World } from './world.ts'

export async function claim(world: World, campaign: Campaign, { pick }: Step): Promise<void> {
  const { db, engine } = world
  const key = { clientId: campaign.tenant.clientId, campaignId: campaign.id }
  const grant = { ...key, limit: 1 + (pick % 6), buckets: [], receivers: [], closed: [] }
  const { rows } = await claimDue(db, engine.lease.id, [grant])
  const due =
    campaign.state === 'running'
      ? campaign.mails.filter(books.isOpen).filter(mail => mail.state !== 'claimed').length
      : 0
  expect(rows.length).toBe(Math.min(grant.limit, due))
  const memberTableId = clientOf(world, campaign).memberTableId
  for (const recipient of await readRecipients(
    db,
    key.clientId,
    { memberTableId, blacklistIds: [], columns: [] },
    rows,
  )) {
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

export async function settle(
  world: World,
  campaign: Campaign,
  { pick, isDoubled, isForged }: Step,
): Promise<void> {
  const { db, engine, book } = world
  const mine = world.held.filter(held => held.mail.campaign === campaign)
  const some = mine.slice(0, 1 + (pick % 4))
  for (const [index, held] of some.entries()) {
    const said = ANSWERS[(pick + index * 7) % ANSWERS.length]
    if (!said) continue
    if (!held.hasBegun && said.kind !== 'returned') await engine.recorder.begin(held.row)
    const settled = toSettled(held.row, said, campaign)
    // Outcomes of an engine that does not hold the lease must be ignored.
    if (isForged) await recordOutcomes(db, randomUUID(), [toRecord(toSettled(held.row, REFUSAL, campaign))])
    await engine.recorder.settle(settled)
    await engine.recorder.drained()
    if (isDoubled && said.kind !== 'unknown') await recordOutcomes(db, engine.lease.id, [toRecord(settled)])
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

/** Kills the engine with its messages in flight. */
export async function crash(world: World): Promise<void> {
  const { db, engine } = world
  await engine.lease.release()
  await expect
    .poll(async () => {
      await recoverDeadEngines(db)
      return db.selectFrom('engine').select('lease').execute()
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

/** An engine declared dead reports late outcomes. */
export async function late(world: World, _campaign: Campaign, { pick }: Step): Promise<void> {
  const { db, lost, book } = world
  const said = ANSWERS.filter(answer => answer.kind !== 'unknown')[pick % 9]
  const index = pick % Math.max(1, lost.length)
  const one = lost[index]
  if (!one || !said || one.mail.campaign.isRemoved) return
  lost.splice(index, 1)
  const { mail, row, lease } = one
  await recordOutcomes(db, lease, [toRecord(toSettled(row, said, mail.campaign))])
  if (mail.state === 'unknown' && mail.lease === lease && mail.attempts === row.attempts)
    books.answer(book, mail, said, world.now)
}

export async function move(
  { db }: World,
  campaign: Campaign,
  action: 'pause' | 'start' | 'stop',
  from: readonly Campaign['state'][],
  then: () => unknown,
): Promise<void> {
  const { clientId } = campaign.tenant
  const moved = moveCampaign(
    db,
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

export async function resend({ db }: World, campaign: Campaign): Promise<void> {
  const hasUnknown = campaign.mails.some(mail => mail.state === 'unknown')
  if (campaign.isRemoved) return
  const done = resolveUnknown(db, { clientId: campaign.tenant.clientId, campaignId: campaign.id })
  if (hasUnknown && campaign.state === 'stopped') {
    await expect(done).rejects.toMatchObject({ code: 'wrong_state' })
    return
  }
  expect(await done).toBe(books.resend(campaign))
}

export async function erase(world: World, campaign: Campaign, { pick }: Step): Promise<void> {
  const { db, book, now } = world
  const { clientId, people } = campaign.tenant
  const person = people[pick % people.length]
  // Two people stay, so that the test can continue.
  if (!person || person.isGone || people.filter(one => !one.isGone).length <= 2) return
  const source = await readDatasource(db, { clientIds: [clientId] }, clientOf(world, campaign).memberTableId)
  await eraseMember(db, systemActor(clientId), source, person.id)
  books.forget(book, person, now)
}

export async function remove({ db, now }: World, campaign: Campaign, { pick }: Step): Promise<void> {
  if (pick % 3 > 0 || campaign.isRemoved) return
  const { clientId } = campaign.tenant
  const removed = campaignOperations.remove(
    db,
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
  books.cancel(campaign, now)
}
