import {
  campaignState,
  campaignType,
  editableStates,
  restorableStates,
  transactionalTypes,
} from '@emma/contract/campaign-states.ts'
import { fieldError, EmmaError, invalid } from '@emma/contract/errors.ts'
import type { Patch, Row } from '@emma/contract/resource-schemas.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { forgetItems } from '../content/feeds.ts'
import { difference } from '../resource/log-change.ts'
import type { Operations, WriteOptions } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { assertCategories } from './campaign-categories.ts'
import { endCampaign } from './cancel-open.ts'
import { lockCampaign } from './lock-campaign.ts'
import { isInGroup } from '../reports/is-in-group.ts'
import { assertTimes } from './assert-times.ts'
import { assertSplit } from './split/assert-split.ts'
import { transition } from './transition.ts'
import { fault } from '@emma/contract/faults.ts'

export type Campaign = Row<typeof campaign>
type Changes = Patch<typeof campaign>

const standard = resourceOperations(campaign, {
  table: 'campaign',
  json: ['split', 'split_result', 'learned_time'],
  computed: ['screenshot'],
  // Of the template (campaign-pictures.ts).
  toRecord: () => ({ screenshot: null }),
  special: {
    test: values => sql`(r.ctype = ${campaignType.test}) = ${values.at(-1)}`,
    transactional: values => sql`(r.ctype = any(${transactionalTypes}::int[])) = ${values.at(-1)}`,
    recurring: () => sql`r.ctype = ${campaignType.recurring}`,
    category: values => sql`r.category_value_ids && ${values}::bigint[]`,
    started: values => sql`(r.started_at is not null) = ${values.at(-1)}`,
    reportinggroup_id: values => sql`exists (
      select from reporting_group g
      where g.client_id = r.client_id and g.reportinggroup_id = any(${values}::bigint[]) and g.deleted_at is null
        and ${isInGroup('r', 'g')})`,
  },
  refersTo: {
    member_table_id: { table: 'member_table', key: 'member_table_id' },
    list_id: { table: 'list', key: 'list_id' },
    exclude_list_ids: { table: 'list', key: 'list_id' },
    blacklist_ids: { table: 'blacklist', key: 'blacklist_id' },
    message_id: { table: 'message', key: 'message_id' },
    domain_id: { table: 'domain', key: 'domain_id' },
    mailclass_id: { table: 'mailclass', key: 'mailclass_id' },
    esp_id: { table: 'esp_login', key: 'id' },
    capping_id: { table: 'capping', key: 'capping_id' },
    test_group_id: { table: 'test_group', key: 'id' },
  },
})

/** Fields that can be changed while a campaign is paused: its send speed. */
const changeableWhilePaused = new Set(['throttle', 'throttle_unit'])

/** A campaign that is deleted in another state has not sent to everybody. */
const endedStates = [campaignState.finished, campaignState.archived]

/** Fields that a test shows; a change of one requires a new test. */
const shownByTest = [
  'message_id',
  'subject',
  'fromadr',
  'fromname',
  'reply_to',
  'domain_id',
  'mailclass_id',
  'esp_id',
  'split',
] as const

/** Fields that assertTimes checks together. */
const timeFields = ['split', 'learned_time', 'send_order', 'order_column'] as const

/** CRUD operations of campaigns. Only drafts, scheduled campaigns and the send speed of paused ones can be changed. */
export const campaignOperations: Operations<typeof campaign> = {
  ...standard,
  list(db, actor, scope, query) {
    // Transactional emails and process mails have campaigns too, which are found by their id or type alone.
    const isNamed = 'type' in query.filters || 'campagne_id' in query.filters
    const filters = {
      ...query.filters,
      ...(isNamed ? {} : { transactional: [false] }),
      ...(query.recurringOnly ? { recurring: [true] } : {}),
    }
    return standard.list(db, actor, scope, { ...query, filters })
  },
  create(db, actor, clientId, input) {
    return transaction(db, async tx => {
      const made = await standard.create(tx, actor, clientId, {
        manager_id: actor.userId,
        ...input,
        ...(await tableOf(tx, input)),
      })
      if (input.manager_id !== undefined) await assertManager(tx, made)
      await assertCategories(tx, made, [])
      await assertSplit(tx, made)
      assertTimes(made)
      return made
    })
  },
  patch(db, actor, scope, id, input, options) {
    return transaction(db, async tx => {
      await lockCampaign(tx, scope, id)
      const before = await standard.find(tx, actor, scope, id)
      assertEditable(before, input, options)
      assertStart(before, input)
      const list_id = input.list_id === undefined ? before.list_id : input.list_id
      const fields = { ...input, ...(await tableOf(tx, { list_id })) }
      const after = await standard.patch(tx, actor, scope, id, fields, options)
      if (before.tested_at !== null && shownByTest.some(field => !isSame(after[field], before[field]))) {
        await tx.updateTable('campaign').set({ tested_at: null }).where('campagne_id', '=', id).execute()
        after.tested_at = null
      }
      if (after.manager_id !== before.manager_id) await assertManager(tx, after)
      if (input.split !== undefined || input.list_id !== undefined) await assertSplit(tx, after)
      if (timeFields.some(field => input[field] !== undefined)) assertTimes(after)
      if (input.category_value_ids) await assertCategories(tx, after, before.category_value_ids)
      return after
    })
  },
  remove(db, actor, scope, id, options) {
    return transaction(db, async tx => {
      await lockCampaign(tx, scope, id)
      const record = await standard.find(tx, actor, scope, id)
      const isAtWork = [campaignState.running, campaignState.preparing].some(state => state === record.valid)
      if (isAtWork) throw new EmmaError('wrong_state', fault('refusal.running_campaign'))
      await standard.remove(tx, actor, scope, id, options)
      const key = { clientId: record.client_id, campaignId: id }
      await endCampaign(tx, key)
      if (!endedStates.some(state => state === record.valid)) await forgetItems(tx, key)
    })
  },
  restore(db, actor, scope, id) {
    return transaction(db, async tx => {
      await standard.restore(tx, actor, scope, id)
      const { client_id, valid, startdate } = await standard.find(tx, actor, scope, id)
      if (!restorableStates.some(state => state === valid))
        throw new EmmaError('wrong_state', fault('refusal.deleted_campaign'))
      const isDue = startdate !== null && Date.parse(startdate) <= Date.now()
      if (valid !== campaignState.scheduled || !isDue) return
      // Its start time passed while it was deleted: without this it would start as soon as it is restored.
      await transition(
        tx,
        { clientId: client_id, campaignId: id },
        { from: [campaignState.scheduled], to: campaignState.draft, by: { actor, action: 'cancel' } },
      )
    })
  },
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Datasource of the campaign's segment. */
async function tableOf(db: Db, { list_id }: Changes): Promise<{ member_table_id?: number }> {
  if (!list_id) return {}
  const list = await db
    .selectFrom('list')
    .select('member_table_id')
    .where('list_id', '=', list_id)
    .executeTakeFirst()
  return list ? { member_table_id: list.member_table_id } : {}
}

/** A scheduled campaign starts automatically: a past start time would send it at once. */
function assertStart({ valid, startdate: before }: Campaign, { startdate }: Changes): void {
  if (valid !== campaignState.scheduled || startdate === undefined) return
  if (startdate && before && Date.parse(startdate) === Date.parse(before)) return
  if (startdate === null || Date.parse(startdate) <= Date.now())
    throw invalid([fieldError('startdate', 'field.future')])
}

/** The manager must be a user of the campaign's client or a superadmin. */
async function assertManager(db: Db, { client_id, manager_id }: Campaign): Promise<void> {
  if (manager_id === null) return
  const found = await sql`
    select from app_user u
    where u.id = ${manager_id} and u.deleted_at is null and (u.superadmin or exists (
      select from user_client c where c.user_id = u.id and c.client_id = ${client_id}))`.execute(db)
  if (found.rows.length === 0) throw invalid([fieldError('manager_id', 'field.not_there')])
}

function assertEditable(record: Campaign, input: Changes, { whole = false }: WriteOptions): void {
  const { valid } = record
  if (!editableStates.some(state => state === valid))
    throw new EmmaError('wrong_state', fault('refusal.started_campaign'))
  if (valid !== campaignState.paused) return
  if (whole) throw new EmmaError('wrong_state', fault('refusal.paused_campaign'))
  const refused = Object.keys(difference(record, { ...record, ...input }, Object.keys(input))).filter(
    field => !changeableWhilePaused.has(field),
  )
  if (refused.length > 0) throw invalid(refused.map(field => fieldError(field, 'field.fixed_while_paused')))
}
