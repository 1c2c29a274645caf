import {
  convertSections,
  renderCanvas,
  renderMessage,
  renderUnsaved,
  testFeed,
  trackMessage,
  untrackMessage,
} from '@emma/contract/actions/content.ts'
import { reportEditor } from '@emma/contract/actions/message-editors.ts'
import { renderProcessMail, shippedProcessMail } from '@emma/contract/actions/process-mails.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { shippedProcessMail as shippedContent } from '@emma/contract/process-mails/shipped-process-mail.ts'
import { message } from '@emma/contract/resources/message.ts'
import { markTemplate } from '@emma/mail/edit/mark-template.ts'
import { parseTemplate } from '@emma/mail/edit/parse-template.ts'
import { placeholder } from '@emma/contract/resources/placeholder.ts'
import { pmt } from '@emma/contract/resources/pmt.ts'
import type { z } from 'zod'
import { type DemoState, type DemoRoute, notInDemo, onAction } from './demo-call.ts'
import type { DemoPmt, DemoTemplate } from './demo-records.ts'
import { fillMessage } from './fill-message.ts'
import { recordRoutes } from './record-routes.ts'
import { keepVersion, templateVersionRoutes } from './template-versions.ts'

export const contentRoutes: readonly DemoRoute[] = [
  ...onAction(renderMessage, async ({ params }, state) =>
    fillMessage(await findTemplate(params.id, state), params.member_id, state),
  ),
  ...onAction(renderUnsaved, async ({ params, body }, state) => {
    const source = await unsavedSource(params.id, body, state)
    return fillMessage(source, params.member_id, state)
  }),
  ...onAction(renderCanvas, async ({ params, body }, state) => {
    const source = await unsavedSource(params.id, body, state)
    return { canvas: await canvasOf(source, params.member_id, state) }
  }),
  ...onAction(convertSections, notInDemo),
  ...onAction(trackMessage, ({ params }, state) => setTracked(params.id, true, state)),
  ...onAction(untrackMessage, ({ params }, state) => setTracked(params.id, false, state)),
  ...onAction(reportEditor, async () => ({ others: [] })),
  ...templateVersionRoutes,
  ...recordRoutes({
    resource: message,
    entity: 'template',
    blank: {
      subject: '',
      preheader: null,
      message_type: 'multipart',
      template_type: 'email',
      is_template: false,
      body_long: null,
      body_mjml: null,
      body_text: null,
      lang: 'en',
      charset: 'utf-8',
      languages: [],
      attachments: [],
      is_tracked: false,
      urls: [],
      warnings: [],
      category: null,
      screenshot: null,
      bee_json: null,
      user_id: null,
    },
    special: {
      doi_link: () => true,
      text: ({ name, subject, body_long }, [text]) =>
        `${String(name)} ${String(subject)} ${String(body_long)}`
          .toLowerCase()
          .includes(String(text).toLowerCase()),
    },
    settle: async (row, before, state) => {
      const { id, firstname, lastname } = state.person
      const settled = { ...row, user: { id, firstname, lastname } }
      await keepVersion(settled as DemoTemplate, before as DemoTemplate | null, state)
      return settled
    },
  }),
  ...recordRoutes({
    resource: placeholder,
    entity: 'placeholder',
    blank: {
      type: 'text',
      body: {},
      is_mandatory: false,
      feed_url: null,
      feed_header: null,
      feed_scope: 'campaign',
      feed_secret: null,
      feed_secret_set: false,
      feed_max: 5,
      feed_only_new: false,
      feed_if_empty: 'send',
    },
  }),
  // The browser reads no foreign feeds: the templates stand in for its items.
  ...onAction(testFeed, async ({ body }, { tables }) => {
    const templates = await tables<DemoTemplate>('template').all()
    const measured = { bytes: 2_048, milliseconds: 120 }
    if (body.type === 'data') {
      const products = templates.slice(0, 3).map(({ name }) => ({ name, url: 'https://example.com/' }))
      return { ...measured, items: [], json: JSON.stringify({ products }, null, 2) }
    }
    return {
      ...measured,
      json: null,
      items: templates.slice(0, 5).map(({ name, updated_at }) => ({
        title: name,
        link: 'https://example.com/',
        summary: '',
        image: '',
        date: updated_at,
      })),
    }
  }),
  ...onAction(shippedProcessMail, async ({ query }) => shippedContent(query.process, query.lang)),
  ...onAction(renderProcessMail, async ({ body }, state) => {
    const mail = { ...body, subject: body.subject ?? '' }
    const rendered = await fillMessage(mail, 0, state)
    return body.with_canvas ? { ...rendered, canvas: await canvasOf(mail, 0, state) } : rendered
  }),
  ...recordRoutes({
    resource: pmt,
    entity: 'pmt',
    blank: { subject: null, body_text: null, domain_id: null, is_default: false, active: true },
    settle: async (row, _, state) => {
      if (row.is_default) await clearDefault(row as DemoPmt, state)
      return row
    },
  }),
]

/** One default per process and language. */
async function clearDefault({ pmt_id, process, lang }: DemoPmt, { tables }: DemoState): Promise<void> {
  const table = tables<DemoPmt>('pmt')
  for (const row of await table.all())
    if (row.is_default && row.process === process && row.lang === lang && row.pmt_id !== pmt_id)
      await table.put(row.pmt_id, { ...row, is_default: false, revision: row.revision + 1 })
}

async function unsavedSource(id: number, body: z.output<typeof renderUnsaved.body>, state: DemoState) {
  // Only the server compiles MJML.
  if (body.body_mjml) notInDemo()
  const stored = id === 0 ? null : await findTemplate(id, state)
  return {
    subject: body.subject ?? stored?.subject ?? '',
    body_long: body.body_long ?? stored?.body_long ?? null,
    body_text: body.body_text ?? stored?.body_text ?? null,
    lang: body.lang ?? stored?.lang ?? 'en',
  }
}

async function setTracked(id: number, is_tracked: boolean, state: DemoState) {
  const found = await findTemplate(id, state)
  const changed = { ...found, is_tracked, revision: found.revision + 1 }
  await state.tables<DemoTemplate>('template').put(id, changed)
  return { is_tracked, urls: changed.urls }
}

async function findTemplate(id: number, { tables }: DemoState): Promise<DemoTemplate> {
  const found = await tables<DemoTemplate>('template').get(id)
  if (!found) throw new EmmaError('not_found')
  return found
}

async function canvasOf(source: Parameters<typeof fillMessage>[0], memberId: number, state: DemoState) {
  const tree = parseTemplate(source.body_long ?? '', { format: 'html' })
  if (tree.type === 'code') return null
  const { source: marked, marks } = markTemplate(tree)
  const { html } = await fillMessage({ ...source, body_long: marked }, memberId, state)
  return { html, prefix: marks.prefix }
}
