import {
  approveCampaign,
  approveRecurring,
  readCampaignApproval,
  readRecurringApproval,
  requestCampaignApproval,
  requestRecurringApproval,
  revokeCampaignApproval,
  revokeRecurringApproval,
} from '@emma/contract/actions/approval.ts'
import { type Approval, type ApprovalPart, approvalParts } from '@emma/contract/approval.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import { demoClientId } from '@emma/contract/session.ts'
import { type DemoRoute, type DemoState, type Fields, onAction } from './demo-call.ts'
import type { DemoClient, DemoUser } from './demo-records.ts'

/** A request or approval as the demo stores it. */
export interface DemoApproval {
  hash: string
  parts: Record<ApprovalPart, string>
  request: Approval['request']
  approved: Approval['approved']
}

interface Subject {
  entity: 'campaign' | 'recurring'
  id: number
}

const campaignOf = ({ campaign_id: id }: { campaign_id: number }): Subject => ({ entity: 'campaign', id })
const recurringOf = ({ recurring_id: id }: { recurring_id: number }): Subject => ({ entity: 'recurring', id })

/** Approval by a second person, by the rules of the server. Hashes cover the records of the demo. */
export const approvalRoutes: readonly DemoRoute[] = [
  ...onAction(readCampaignApproval, ({ params }, state) => read(campaignOf(params), state)),
  ...onAction(requestCampaignApproval, ({ params, body }, state) =>
    request(campaignOf(params), body?.note ?? null, state),
  ),
  ...onAction(approveCampaign, ({ params, body }, state) =>
    approve(campaignOf(params), body.hash, body.note ?? null, state),
  ),
  ...onAction(revokeCampaignApproval, ({ params }, state) => revoke(campaignOf(params), state)),
  ...onAction(readRecurringApproval, ({ params }, state) => read(recurringOf(params), state)),
  ...onAction(requestRecurringApproval, ({ params, body }, state) =>
    request(recurringOf(params), body?.note ?? null, state),
  ),
  ...onAction(approveRecurring, ({ params, body }, state) =>
    approve(recurringOf(params), body.hash, body.note ?? null, state),
  ),
  ...onAction(revokeRecurringApproval, ({ params }, state) => revoke(recurringOf(params), state)),
]

const keyOf = ({ entity, id }: Subject) => `${entity}-${id}`
const tableOf = ({ tables }: DemoState) => tables<DemoApproval>('campaign_approval')

async function read(subject: Subject, state: DemoState): Promise<Approval> {
  const { row, parts, hash } = await readSent(subject, state)
  const stored = await tableOf(state).get(keyOf(subject))
  const client = await state.tables<DemoClient>('client').get(demoClientId)
  const users = await state.tables<DemoUser>('user').all()
  const excluded = [stored?.request?.by.id, row['updated_by']]
  return {
    required: client?.campaign_approval === true,
    state: stateOf(stored, hash),
    hash,
    request: stored?.request ?? null,
    approved: stored?.approved ?? null,
    changed: stored ? approvalParts.filter(part => parts[part] !== stored.parts[part]) : [],
    approvers: users
      .filter(({ id }) => !excluded.includes(id))
      .map(({ id, firstname, lastname }) => ({ id, name: `${firstname} ${lastname}` })),
    may_approve: !excluded.includes(state.person.id),
  }
}

function stateOf(stored: DemoApproval | undefined, hash: string): Approval['state'] {
  if (!stored) return 'none'
  if (stored.hash !== hash) return 'outdated'
  return stored.approved ? 'approved' : 'requested'
}

async function request(subject: Subject, note: string | null, state: DemoState): Promise<Approval> {
  const { parts, hash } = await readSent(subject, state)
  const stored = { hash, parts, request: signature(note, state), approved: null }
  await tableOf(state).put(keyOf(subject), stored)
  return read(subject, state)
}

async function approve(
  subject: Subject,
  hash: string,
  note: string | null,
  state: DemoState,
): Promise<Approval> {
  const now = await read(subject, state)
  const stored = await tableOf(state).get(keyOf(subject))
  if (!now.may_approve) throw new EmmaError('forbidden', fault('refusal.approval_own'))
  if (now.hash !== hash) throw new EmmaError('conflict', fault('refusal.approval_other_version'))
  if (!stored || now.state !== 'requested')
    throw new EmmaError('wrong_state', fault('refusal.approval_unrequested'))
  await tableOf(state).put(keyOf(subject), { ...stored, approved: signature(note, state) })
  return read(subject, state)
}

async function revoke(subject: Subject, state: DemoState): Promise<Approval> {
  await tableOf(state).remove(keyOf(subject))
  return read(subject, state)
}

function signature(note: string | null, { person, now }: DemoState): NonNullable<Approval['request']> {
  const { id, firstname, lastname } = person
  return { by: { id, name: `${firstname} ${lastname}` }, at: now().toISOString(), note }
}

const fieldsOf: Record<ApprovalPart, readonly string[]> = {
  content: ['name', 'message_id'],
  subject: ['subject'],
  sender: ['fromadr', 'fromname', 'reply_to', 'domain_id'],
  audience: ['list_id', 'exclude_list_ids', 'blacklist_ids', 'capping_id', 'send_once_key'],
  time: [
    'startdate',
    'quiet_from',
    'quiet_to',
    'local_time',
    'local_past',
    'learned_time',
    'send_order',
    'order_column',
    'order_descending',
    'window_mails',
    'schedule',
  ],
  split: ['split'],
  delivery: ['mailclass_id', 'esp_id', 'throttle', 'throttle_unit', 'unknown_policy'],
}

async function readSent({ entity, id }: Subject, { tables }: DemoState) {
  const row = await tables<Fields>(entity).get(id)
  if (!row) throw new EmmaError('not_found')
  const template = await tables<Fields>('template').get(Number(row['message_id']))
  const entries = await Promise.all(
    approvalParts.map(async part => {
      const values = fieldsOf[part].map(field => row[field])
      const { body_long, body_text, subject, preheader } = template ?? {}
      if (part === 'content') values.push(body_long, body_text)
      if (part === 'subject') values.push(subject, preheader)
      return [part, await sha256(JSON.stringify(values))] as const
    }),
  )
  const parts = Object.fromEntries(entries) as Record<ApprovalPart, string>
  return { row, parts, hash: await sha256(JSON.stringify(parts)) }
}

async function sha256(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
}
