import {
  cancelTransactionalMail,
  findTransactionalMail,
  listTransactionalMails,
  renderTransactional,
  resendTransactionalMail,
  rotateTransactionalKey,
  sendTransactional,
} from '@emma/contract/actions/transactional.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { initialValues } from '@emma/contract/resource-schemas.ts'
import { transactionalcampaign } from '@emma/contract/resources/transactionalcampaign.ts'
import { type DemoRoute, type DemoState, notInDemo, onAction, pageOf } from './demo-call.ts'
import type { DemoTemplate, DemoTransactional, DemoTransactionalMail } from './demo-records.ts'
import { fillMessage } from './fill-message.ts'
import { recordRoutes } from './record-routes.ts'

/** Transactional emails and their log. Nothing is sent: an email of the console counts as sent at once. */
export const transactionalRoutes: readonly DemoRoute[] = [
  ...recordRoutes({
    resource: transactionalcampaign,
    entity: 'transactional',
    blank: { ...initialValues(transactionalcampaign), key_hint: null, key_created_at: null },
  }),
  ...onAction(rotateTransactionalKey, async () => notInDemo()),
  ...onAction(renderTransactional, async ({ params }, state) => render(params.id, state)),
  ...onAction(sendTransactional, async ({ params, body }, state) => {
    await findTransactional(params.id, state)
    return add({ transactional_id: params.id, email: body.email, name: body.name, data: body.data }, state)
  }),
  ...onAction(listTransactionalMails, async ({ params, query }, state) => {
    const rows = (await mails(state).all()).filter(row => row.transactional_id === params.id)
    const words = query.search?.toLowerCase() ?? ''
    const found = rows.filter(
      row => row.email.includes(words) && (query.state === undefined || row.state === query.state),
    )
    return pageOf(
      found.toReversed().map(({ transactional_id: _id, data: _data, ...row }) => row),
      query.limit,
      query.offset,
    )
  }),
  ...onAction(findTransactionalMail, async ({ params }, state) => {
    const { transactional_id: id, ...row } = await findMail(params.mail_id, state)
    return { ...row, attachments: [], rendered: await render(id, state) }
  }),
  ...onAction(cancelTransactionalMail, async ({ params }, state) => {
    const row = await findMail(params.mail_id, state)
    await mails(state).put(row.message_id, { ...row, state: 'cancelled' })
    return { ok: true as const }
  }),
  ...onAction(resendTransactionalMail, async ({ params }, state) =>
    add(await findMail(params.mail_id, state), state),
  ),
]

function mails({ tables }: DemoState) {
  return tables<DemoTransactionalMail>('transactional_mail')
}

async function findTransactional(id: number, { tables }: DemoState): Promise<DemoTransactional> {
  const found = await tables<DemoTransactional>('transactional').get(id)
  if (!found) throw new EmmaError('not_found')
  return found
}

async function findMail(id: number, state: DemoState): Promise<DemoTransactionalMail> {
  const found = await mails(state).get(id)
  if (!found) throw new EmmaError('not_found')
  return found
}

async function render(id: number, state: DemoState) {
  const { message_id } = await findTransactional(id, state)
  const template = await state.tables<DemoTemplate>('template').get(message_id)
  if (!template) throw new EmmaError('not_found')
  const { subject, html, text } = await fillMessage(template, 0, state)
  return { subject, html, text }
}

async function add(
  mail: Pick<DemoTransactionalMail, 'transactional_id' | 'email' | 'name' | 'data'>,
  state: DemoState,
) {
  const rows = await mails(state).all()
  const id = Math.max(1_000_000_000_000, ...rows.map(row => row.message_id)) + 1
  const instant = state.now().toISOString()
  const { transactional_id, email, name, data } = mail
  await mails(state).put(id, {
    transactional_id,
    email,
    name,
    data,
    message_id: id,
    state: 'sent',
    skip_reason: null,
    fault: null,
    reply: '250 2.0.0 OK',
    created_at: instant,
    via_smtp: false,
    due_at: instant,
    recorded_at: instant,
    opened_at: null,
    clicked_at: null,
    bounced_at: null,
  })
  return { message_id: id, is_repeated: false }
}
