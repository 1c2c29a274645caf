import { campaignState } from '@emma/contract/campaign-states.ts'
import { campaign as campaignResource } from '@emma/contract/resources/campaign.ts'
import { client } from '@emma/contract/resources/client.ts'
import type { Patch } from '@emma/contract/resource-schemas.ts'
import { split } from '@emma/contract/split.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { placeholderOperations } from '../../content/placeholder-operations.ts'
import { listOperations } from '../../audience/segments/list-operations.ts'
import { makeDueRuns } from '../../recurring/make-due-runs.ts'
import { recurringOperations, recurringOperationsAt } from '../../recurring/recurring-operations.ts'
import { clientOperations } from '../../platform/client-operations.ts'
import { actorOf, findPerson } from '../../account/person.ts'
import type { Actor } from '../../resource/actor.ts'
import {
  addTestCampaign,
  addTestTenant,
  testContext,
  testKey,
  testMessages,
  type TestTenant,
} from '../../test/campaign.ts'
import { type Campaign, campaignOperations } from '../campaign-operations.ts'
import { checkCampaign } from '../check-campaign.ts'
import { moveCampaign, type MoveOptions } from '../move-campaign.ts'
import { transition } from '../transition.ts'
import { ApprovalMissing } from './approval-fault.ts'
import { approve, requestApproval, revokeApproval } from './decide-approval.ts'
import { readApproval } from './read-approval.ts'
import type { ApprovalSubject } from './read-sent.ts'

let database: TestDatabase
let tenant: TestTenant
let author: Actor
let second: Actor
let reader: Actor
let admin: Actor

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await addTestTenant(database.db)
  await database.db.updateTable('client').set({ campaign_approval: true }).execute()
  author = await addUser('ann', ['EmmaCampaign:get', 'EmmaCampaign:patch', 'EmmaClient:patch'])
  second = await addUser('ben', ['EmmaCampaign:get', 'EmmaCampaign:patch'])
  reader = await addUser('ria', ['EmmaCampaign:get'])
  admin = await addUser('ada', ['EmmaClient:patch'], true)
})
beforeEach(async () => {
  await sql`delete from notification`.execute(database.db)
})
afterAll(() => database.drop())

async function addUser(username: string, permissions: string[], administrator = false): Promise<Actor> {
  const { db } = database
  const { id: user_id } = await db
    .insertInto('app_user')
    .values({
      username,
      email: `${username}@example.test`,
      firstname: username,
      lastname: 'Doe',
      administrator,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: role_id } = await db
    .insertInto('role')
    .values({ name: username, permissions })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('user_role').values({ user_id, role_id }).execute()
  await db.insertInto('user_client').values({ user_id, client_id: tenant.clientId }).execute()
  return actorOf(await findPerson(db, user_id))
}

/** A campaign of the author that passes the check but for its approval. */
async function addCampaign(fields: Patch<typeof campaignResource> = {}): Promise<Campaign> {
  return addTestCampaign({ ...tenant, actor: author }, campaignState.draft, fields)
}

const subjectOf = ({ client_id, campagne_id }: Campaign): ApprovalSubject => ({
  clientId: client_id,
  subject: 'campaign',
  id: campagne_id,
})
const request = (of: ApprovalSubject, actor = author, note: string | null = null) =>
  requestApproval(tenant.db, actor, tenant.scope, of, note)
const read = (of: ApprovalSubject, actor = author) => readApproval(tenant.db, actor, tenant.scope, of)
async function approveAs(of: ApprovalSubject, actor = second) {
  const { hash } = await read(of)
  return approve(tenant.db, actor, tenant.scope, of, { hash, note: null })
}
async function addApproved(fields: Patch<typeof campaignResource> = {}): Promise<Campaign> {
  const campaign = await addCampaign(fields)
  await request(subjectOf(campaign))
  await approveAs(subjectOf(campaign))
  return campaign
}
const start = (campaign: Campaign, options: MoveOptions = {}, action: 'start' | 'schedule' = 'start') =>
  moveCampaign(tenant.db, author, tenant.scope, campaign.campagne_id, action, options, testContext)

const refusedWith = (code: string) => ({ code: 'invalid', fields: [expect.objectContaining({ code })] })
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

describe('a client whose campaigns need an approval', () => {
  test('the check names those who may approve, and start and schedule are refused', async () => {
    const campaign = await addCampaign()
    const { errors } = await checkCampaign(tenant.db, campaign, testContext)
    expect(errors).toEqual([
      {
        code: 'approval_missing',
        field: 'approval',
        reason: 'campaign.approval_missing',
        values: { approvers: 'ben Doe' },
        message: expect.stringContaining('ben Doe'),
      },
    ])
    await expect(start(campaign)).rejects.toMatchObject(refusedWith('campaign.approval_missing'))
    await expect(start(campaign, { startdate: tomorrow() }, 'schedule')).rejects.toMatchObject(
      refusedWith('campaign.approval_missing'),
    )
  })

  test('superadmins are asked only if nobody of the client may approve', async () => {
    const root = await addUser('root', [])
    await sql`update app_user set superadmin = true where id = ${root.userId}`.execute(tenant.db)
    await sql`delete from user_client where user_id = ${root.userId}`.execute(tenant.db)
    const setMember = (active: boolean) =>
      tenant.db.updateTable('app_user').set({ active }).where('id', '=', second.userId).execute()
    const asked = async () => {
      await sql`delete from notification`.execute(tenant.db)
      const campaign = await addCampaign()
      const { approvers } = await request(subjectOf(campaign))
      const { rows } = await sql<{ user_id: number }>`
        select user_id from notification where code = 'approval_requested'`.execute(tenant.db)
      expect(rows.map(({ user_id }) => user_id)).toEqual(approvers.map(({ id }) => id))
      return rows.map(({ user_id }) => user_id)
    }
    try {
      expect(await asked()).toEqual([second.userId])
      await setMember(false)
      expect(await asked()).toEqual([root.userId])
    } finally {
      await setMember(true)
      await sql`update app_user set active = false where id = ${root.userId}`.execute(tenant.db)
    }
  })

  test('no transition of any caller starts a campaign that is not approved', async () => {
    const campaign = await addCampaign()
    const key = { clientId: tenant.clientId, campaignId: campaign.campagne_id }
    for (const to of [campaignState.scheduled, campaignState.preparing, campaignState.running])
      await expect(transition(tenant.db, key, { from: [campaignState.draft], to })).rejects.toThrow(
        ApprovalMissing,
      )
  })

  test('an approved campaign starts, and the decisions are in the audit log with the version', async () => {
    const campaign = await addCampaign()
    const of = subjectOf(campaign)
    expect(await request(of, author, 'Look at the subject')).toMatchObject({
      required: true,
      state: 'requested',
      request: { by: { id: author.userId, name: 'ann Doe' }, note: 'Look at the subject' },
      approved: null,
      approvers: [{ id: second.userId, name: 'ben Doe' }],
      may_approve: false,
    })
    expect(await read(of, second)).toMatchObject({ may_approve: true })
    const { hash } = await approveAs(of)
    expect(await read(of)).toMatchObject({
      state: 'approved',
      changed: [],
      approved: { by: { name: 'ben Doe' } },
    })
    expect(await start(campaign)).toMatchObject({ valid: campaignState.preparing })
    const log = await tenant.db
      .selectFrom('change_log')
      .select(['user_id', 'action', 'changes'])
      .where('object', '=', 'campaign')
      .where('object_id', '=', campaign.campagne_id)
      .where('action', 'in', ['requestApproval', 'approve'])
      .orderBy('id')
      .execute()
    expect(log).toEqual([
      {
        user_id: author.userId,
        action: 'requestApproval',
        changes: { approval_hash: [null, hash], revision: [null, 1], note: [null, 'Look at the subject'] },
      },
      {
        user_id: second.userId,
        action: 'approve',
        changes: { approval_hash: [hash, hash], revision: [null, 1] },
      },
    ])
    const { rows } = await sql`select user_id, code, path from notification order by id`.execute(tenant.db)
    const path = `/campaigns/start/${campaign.campagne_id}`
    expect(rows).toEqual([
      { user_id: second.userId, code: 'approval_requested', path },
      { user_id: author.userId, code: 'approval_given', path },
    ])
  })

  test('neither who asked nor who changed it last can approve it', async () => {
    const campaign = await addCampaign()
    const of = subjectOf(campaign)
    const own = { code: 'forbidden', fault: { code: 'refusal.approval_own' } }
    await request(of, author)
    await expect(approveAs(of, author)).rejects.toMatchObject(own)
    await campaignOperations.patch(
      tenant.db,
      second,
      tenant.scope,
      of.id,
      { subject: 'Changed' },
      { revision: null },
    )
    await request(of, author)
    await expect(approveAs(of, second)).rejects.toMatchObject(own)
    expect((await read(of, second)).may_approve).toBe(false)
    await request(of, second)
    await expect(approveAs(of, second)).rejects.toMatchObject(own)
    await expect(approveAs(of, tenant.actor)).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('only a version that was asked for, and looked at, is approved', async () => {
    const campaign = await addCampaign()
    const of = subjectOf(campaign)
    await expect(approveAs(of)).rejects.toMatchObject({ fault: { code: 'refusal.approval_unrequested' } })
    const { hash } = await request(of)
    await changeMessage({ subject: 'Changed behind' })
    await expect(approve(tenant.db, second, tenant.scope, of, { hash, note: null })).rejects.toMatchObject({
      code: 'conflict',
      fault: { code: 'refusal.approval_other_version' },
    })
    await expect(approveAs(of)).rejects.toMatchObject({ fault: { code: 'refusal.approval_unrequested' } })
  })

  test('an approval can be revoked, which is told to both, and the start is refused', async () => {
    const campaign = await addApproved()
    await sql`delete from notification`.execute(tenant.db)
    const of = subjectOf(campaign)
    expect(await revokeApproval(tenant.db, admin, tenant.scope, of, 'Wrong price')).toMatchObject({
      state: 'none',
      request: null,
    })
    const { rows } = await sql<{ user_id: number }>`
      select user_id, code, details ->> 'note' as note from notification order by user_id`.execute(tenant.db)
    expect(rows).toEqual(
      [author, second].map(({ userId }) => ({
        user_id: userId,
        code: 'approval_revoked',
        note: 'Wrong price',
      })),
    )
    await expect(start(campaign)).rejects.toMatchObject(refusedWith('campaign.approval_missing'))
    await expect(revokeApproval(tenant.db, admin, tenant.scope, of, null)).rejects.toMatchObject({
      fault: { code: 'refusal.approval_none' },
    })
  })

  test('a client of another tenant is not found', async () => {
    const of = subjectOf(await addCampaign())
    const foreign = { clientIds: [tenant.clientId + 1] }
    await expect(readApproval(tenant.db, author, foreign, of)).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      readApproval(tenant.db, author, foreign, { ...of, clientId: tenant.clientId + 1 }),
    ).rejects.toMatchObject({ code: 'not_found' })
    await expect(requestApproval(tenant.db, author, foreign, of, null)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('a started campaign keeps its approval, and continues after a pause without another one', async () => {
    const campaign = await addApproved()
    await start(campaign)
    await tenant.db
      .updateTable('campaign')
      .set({ valid: campaignState.paused, expanded_at: sql`now()` })
      .where('campagne_id', '=', campaign.campagne_id)
      .execute()
    const of = subjectOf(campaign)
    await expect(revokeApproval(tenant.db, second, tenant.scope, of, null)).rejects.toMatchObject({
      fault: { code: 'refusal.approval_started' },
    })
    await campaignOperations.patch(
      tenant.db,
      author,
      tenant.scope,
      of.id,
      { throttle: 100 },
      { revision: null },
    )
    expect(await start(campaign)).toMatchObject({ valid: campaignState.running })
  })

  test('without the setting nothing can be asked for, and campaigns start as before', async () => {
    const campaign = await addCampaign()
    const setRequired = (campaign_approval: boolean) =>
      tenant.db.updateTable('client').set({ campaign_approval }).execute()
    await setRequired(false)
    try {
      await expect(request(subjectOf(campaign))).rejects.toMatchObject({
        fault: { code: 'refusal.approval_off' },
      })
      expect((await read(subjectOf(campaign))).required).toBe(false)
      expect(await start(campaign)).toMatchObject({ valid: campaignState.preparing })
    } finally {
      await setRequired(true)
    }
  })
})

describe('the start time', () => {
  test('is the approved one', async () => {
    const planned = tomorrow()
    const campaign = await addApproved({ startdate: planned })
    const other = refusedWith('campaign.approval_start')
    await expect(start(campaign, { startdate: null })).rejects.toMatchObject(other)
    const later = new Date(Date.parse(planned) + 60_000).toISOString()
    await expect(start(campaign, { startdate: later })).rejects.toMatchObject(other)
    await expect(start(campaign, { startdate: later }, 'schedule')).rejects.toMatchObject(other)
    expect(await start(campaign)).toMatchObject({ valid: campaignState.scheduled, startdate: planned })
  })

  test('may be any if it had passed when it was approved', async () => {
    const campaign = await addApproved({ startdate: '2026-01-01T08:00:00Z' })
    expect(await start(campaign, { startdate: null })).toMatchObject({ valid: campaignState.preparing })
  })

  test('that EMMA writes at the start does not revoke the approval', async () => {
    const campaign = await addApproved()
    await start(campaign, { startdate: null })
    expect(await read(subjectOf(campaign))).toMatchObject({ state: 'approved' })
    const key = { clientId: tenant.clientId, campaignId: campaign.campagne_id }
    await transition(tenant.db, key, { from: [campaignState.preparing], to: campaignState.held })
    expect(await start(campaign, { startdate: null })).toMatchObject({ valid: campaignState.preparing })
  })
})

async function changeMessage(fields: Record<string, unknown>, id = tenant.messageId): Promise<void> {
  await testMessages.patch(tenant.db, tenant.actor, tenant.scope, id, fields, { revision: null })
}

describe('everything that is sent is approved', () => {
  test('a domain of the pool counts if the campaign can rotate over it', async () => {
    const addToPool = (name: string) =>
      tenant.db.insertInto('domain').values({ client_id: tenant.clientId, name, in_pool: true }).execute()
    const { name: own } = await tenant.db
      .selectFrom('domain')
      .select('name')
      .where('domain_id', '=', tenant.domainId)
      .executeTakeFirstOrThrow()
    const alone = await addApproved()
    const rotating = await addApproved({ use_domain_pool: true })
    await addToPool('elsewhere.example')
    for (const campaign of [alone, rotating])
      expect(await read(subjectOf(campaign))).toMatchObject({ state: 'approved' })
    await addToPool(`second.${own}`)
    expect(await read(subjectOf(alone))).toMatchObject({ state: 'approved' })
    expect(await read(subjectOf(rotating))).toMatchObject({ state: 'outdated', changed: ['sender'] })
  })

  const patched = (fields: Patch<typeof campaignResource>) => (of: ApprovalSubject) =>
    campaignOperations.patch(tenant.db, author, tenant.scope, of.id, fields, { revision: null })
  const html = (text: string) =>
    `<p>${text} {{ client.imprint }} <a href="{{ link.unsubscribe }}">bye</a></p>`

  test.each<[string, string, (of: ApprovalSubject) => Promise<unknown>]>([
    ['HTML', 'content', () => changeMessage({ body_long: html('Other') })],
    ['the text part', 'content', () => changeMessage({ body_text: 'Other {{ link.unsubscribe }}' })],
    [
      'a further language',
      'content',
      () => changeMessage({ languages: [{ lang: 'de', subject: 'Neues', body_long: html('Hallo') }] }),
    ],
    ['the imprint of the client', 'content', () => changeClient('imprint')],
    ['a color of the brand', 'content', () => changeClient('brand_color', '#123456')],
    ['the preheader', 'subject', () => changeMessage({ preheader: 'Other' })],
    ['the subject of the template', 'subject', () => changeMessage({ subject: 'Other' })],
    ['the own subject', 'subject', patched({ subject: 'Own' })],
    ['the sender address', 'sender', patched({ fromadr: 'other@sender.test' })],
    ['the sender name', 'sender', patched({ fromname: 'Other' })],
    ['the reply address', 'sender', patched({ reply_to: 'other@sender.test' })],
    ['the rules of the segment', 'audience', () => changeSegment(tenant.listId)],
    ['an excluded segment', 'audience', async of => patched({ exclude_list_ids: [await addSegment()] })(of)],
    ['a suppression list', 'audience', async of => patched({ blacklist_ids: [await addBlacklist()] })(of)],
    ['the send-once key', 'audience', patched({ send_once_key: 'gift' })],
    ['the start time', 'time', patched({ startdate: '2040-01-01T08:00:00Z' })],
    ['quiet hours', 'time', patched({ quiet_from: '22:00', quiet_to: '07:00' })],
    ['batches', 'time', patched({ window_mails: 100 })],
    ['an A/B test', 'split', patched({ split: split.parse({ variants: [{ subject: 'B' }] }) })],
    ['the speed', 'delivery', patched({ throttle: 77 })],
    ['a placement check', 'delivery', patched({ check_placement: true })],
    ['what is resent', 'delivery', patched({ unknown_policy: 'resend' })],
  ])('%s', async (_, part, change) => {
    const campaign = await addApproved()
    const of = subjectOf(campaign)
    await change(of)
    const after = await read(of)
    expect(after.state).toBe('outdated')
    expect(after.changed).toContain(part)
    await expect(start(campaign)).rejects.toMatchObject(refusedWith('campaign.approval_outdated'))
  })

  test('a placeholder that the template inserts through another one, but no other placeholder', async () => {
    const { db, actor, scope, clientId } = tenant
    const placeholders = placeholderOperations(testKey)
    const add = (token: string, en: string) =>
      placeholders.create(db, actor, clientId, { name: token, token, body: { en } })
    const inner = await add('inner', 'Before')
    await add('outer', '{{ module.inner }}')
    const unused = await add('unused', 'Before')
    await changeMessage({ body_long: html('{{ module.outer }}') })
    const of = subjectOf(await addApproved())
    const patch = (id: number) =>
      placeholders.patch(db, actor, scope, id, { body: { en: 'After' } }, { revision: null })
    await patch(unused.module_id)
    expect((await read(of)).state).toBe('approved')
    await patch(inner.module_id)
    expect(await read(of)).toMatchObject({ state: 'outdated', changed: ['content'] })
    await changeMessage({ body_long: html('Plain') })
  })

  test('the template of a variant, and the segment of the goal', async () => {
    const { db, actor, clientId } = tenant
    const other = await testMessages.create(db, actor, clientId, {
      name: 'B',
      subject: 'B',
      body_long: html('B'),
    })
    const goal = await addSegment()
    const variants = [{ message_id: other.message_id }]
    const of = subjectOf(await addApproved({ split: split.parse({ variants, goal_list_id: goal }) }))
    await changeMessage({ body_long: html('B2') }, other.message_id)
    expect(await read(of)).toMatchObject({ state: 'outdated', changed: ['content'] })
    await request(of)
    await approveAs(of)
    await changeSegment(goal)
    expect(await read(of)).toMatchObject({ state: 'outdated', changed: ['split'] })
  })

  test('not what is never sent, nor what changes by itself; undoing a change makes the approval valid again', async () => {
    const of = subjectOf(await addApproved())
    await changeMessage({ name: 'Renamed' })
    await listOperations.patch(
      tenant.db,
      tenant.actor,
      tenant.scope,
      tenant.listId,
      { name: 'Renamed' },
      { revision: null },
    )
    await sql`update campaign set tested_at = now(), estimated_volume = 7 where campagne_id = ${of.id}`.execute(
      tenant.db,
    )
    expect((await read(of)).state).toBe('approved')
    const { throttle } = await campaignOperations.find(tenant.db, author, tenant.scope, of.id)
    await patched({ throttle: throttle + 1 })(of)
    expect((await read(of)).state).toBe('outdated')
    await patched({ throttle })(of)
    expect((await read(of)).state).toBe('approved')
  })
})

let changes = 0

async function changeClient(field: 'imprint' | 'brand_color', value?: string): Promise<void> {
  changes += 1
  const values = { [field]: value ?? `Imprint ${changes}` }
  await clientOperations.patch(tenant.db, admin, tenant.scope, tenant.clientId, values, { revision: null })
}

async function addSegment(): Promise<number> {
  const { db, actor, clientId, memberTableId } = tenant
  const made = await listOperations.create(db, actor, clientId, {
    name: 'Some',
    member_table_id: memberTableId,
  })
  return made.list_id
}

async function changeSegment(id: number): Promise<void> {
  changes += 1
  const query = {
    combinator: 'and' as const,
    rules: [{ field: 'email', operator: '!=', value: `nobody${changes}@example.test` }],
  }
  await listOperations.patch(
    tenant.db,
    tenant.actor,
    tenant.scope,
    id,
    { query: query as never },
    { revision: null },
  )
}

async function addBlacklist(): Promise<number> {
  const { blacklist_id } = await tenant.db
    .insertInto('blacklist')
    .values({ client_id: tenant.clientId, name: 'Some', kind: 'campaign' })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  return blacklist_id
}

describe('a recurring campaign', () => {
  const daily = { rrule: 'FREQ=DAILY', tz: 'UTC', start: '2026-01-01', end: null, time: '09:00' }
  const context = {
    ...testContext,
    onError(_: unknown, error: unknown) {
      throw error
    },
  }
  const add = () =>
    recurringOperationsAt(() => new Date('2026-01-01T12:00:00Z')).create(tenant.db, author, tenant.clientId, {
      name: 'Daily',
      list_id: tenant.listId,
      message_id: tenant.messageId,
      domain_id: tenant.domainId,
      mailclass_id: tenant.mailclassId,
      fromadr: 'news@sender.test',
      schedule: daily,
    })
  const runsOf = async (id: number) =>
    (
      await sql<{ state: string; faults: { code: string }[]; campagne_id: number | null }>`
        select state, faults, campagne_id from recurring_run where recurring_id = ${id} order by planned_at`.execute(
        tenant.db,
      )
    ).rows

  test.each([
    ['the A/B test', 'split', { split: split.parse({ variants: [{ subject: 'B' }] }) }],
    ['the send-once key', 'audience', { send_once_key: 'gift' }],
    ['the placement check', 'delivery', { check_placement: true }],
  ])('is approved again when %s is changed', async (_, part, change) => {
    const { recurring_id: id } = await add()
    const of: ApprovalSubject = { clientId: tenant.clientId, subject: 'recurring', id }
    await request(of)
    await approveAs(of)
    await recurringOperations.patch(tenant.db, author, tenant.scope, id, change, { revision: null })
    expect(await read(of)).toMatchObject({
      state: 'outdated',
      changed: expect.arrayContaining([part]),
    })
  })

  test('sends runs as it was approved, until it is changed', async () => {
    const { recurring_id: id } = await add()
    const of: ApprovalSubject = { clientId: tenant.clientId, subject: 'recurring', id }
    await makeDueRuns(tenant.db, new Date('2026-01-02T09:00:01Z'), context)
    await request(of)
    await expect(approveAs(of, author)).rejects.toMatchObject({ code: 'forbidden' })
    await approveAs(of)
    await makeDueRuns(tenant.db, new Date('2026-01-03T09:00:01Z'), context)
    await recurringOperations.patch(
      tenant.db,
      author,
      tenant.scope,
      id,
      { subject: 'Changed' },
      { revision: null },
    )
    await tenant.db
      .updateTable('recurring')
      .set({ next_run: '2026-01-04T09:00:00Z' })
      .where('recurring_id', '=', id)
      .execute()
    await makeDueRuns(tenant.db, new Date('2026-01-04T09:00:01Z'), context)
    const runs = await runsOf(id)
    expect(runs.map(({ state, faults }) => [state, faults[0]?.code])).toEqual([
      ['failed', 'campaign.approval_missing'],
      ['started', undefined],
      ['failed', 'campaign.approval_missing'],
    ])
    const run = { clientId: tenant.clientId, subject: 'campaign', id: runs[1]?.campagne_id ?? 0 } as const
    expect(await read(run)).toMatchObject({ state: 'approved', approved: { by: { name: 'ben Doe' } } })
    await sql`update recurring set active = false`.execute(tenant.db)
  })
})

describe('the setting of the client', () => {
  const patch = (actor: Actor, input: Patch<typeof client>, whole = false) =>
    clientOperations.patch(tenant.db, actor, tenant.scope, tenant.clientId, input, { revision: null, whole })

  test('is changed by administrators only, also by leaving it out of a whole record', async () => {
    const refused = { code: 'forbidden', fields: [{ field: 'campaign_approval' }] }
    await expect(patch(author, { campaign_approval: false })).rejects.toMatchObject(refused)
    const whole = { name: 'Shop', contact_email: 'a@example.test', language: 'en', timezone: 'UTC' } as const
    await expect(patch(author, whole, true)).rejects.toMatchObject(refused)
    await patch(author, { name: 'Shop', campaign_approval: true })
    await patch(admin, { campaign_approval: false })
    const { rows } = await sql`
      select user_id, changes -> 'campaign_approval' as change from change_log
      where object = 'client' and changes ? 'campaign_approval' order by id desc limit 1`.execute(tenant.db)
    expect(rows).toEqual([{ user_id: admin.userId, change: [true, false] }])
    await expect(patch(author, { campaign_approval: true })).rejects.toMatchObject(refused)
    await patch(admin, { campaign_approval: true })
  })

  test('a user who may only read is not named, and may not approve', async () => {
    const campaign = await addCampaign()
    const { approvers, may_approve } = await read(subjectOf(campaign), reader)
    expect(approvers.map(({ id }) => id)).toEqual([second.userId])
    expect(may_approve).toBe(false)
  })
})
