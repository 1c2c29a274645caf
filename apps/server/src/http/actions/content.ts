import * as content from '@emma/contract/actions/content.ts'
import { reportEditor } from '@emma/contract/actions/message-editors.ts'
import * as versions from '@emma/contract/actions/message-versions.ts'
import {
  renderProcessMail,
  shippedProcessMail,
  testProcessMail,
} from '@emma/contract/actions/process-mails.ts'
import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { shippedProcessMail as shippedContent } from '@emma/contract/process-mails/shipped-process-mail.ts'
import { isPage } from '@emma/contract/resources/pmt.ts'
import { messageOfProcess } from '@emma/core/content/check-process-mail.ts'
import { compileMessage, withFieldErrors } from '@emma/core/content/compile-message.ts'
import { listDeletedMessages } from '@emma/core/content/list-deleted-messages.ts'
import { findStoredMessage, messageOperations } from '@emma/core/content/message-operations.ts'
import { listOtherEditors, noteEditor } from '@emma/core/content/message-editors.ts'
import { listVersions, nameVersion, readVersion } from '@emma/core/content/message-versions.ts'
import { placeholderOperations } from '@emma/core/content/placeholder-operations.ts'
import { readMessageForOne, renderMessage, renderMessageCanvas } from '@emma/core/content/render-message.ts'
import { renderProcessMail as renderContent } from '@emma/core/content/render-process-mail.ts'
import { restoreVersion } from '@emma/core/content/restore-version.ts'
import { senderFindings } from '@emma/core/content/process-sender.ts'
import { clientExists } from '@emma/core/files/file-host.ts'
import { accessibleClients, scopeOf } from '@emma/core/resource/actor.ts'
import { logChange } from '@emma/core/resource/log-change.ts'
import { assertMayReadMembers } from '@emma/core/resource/member-rights.ts'
import { readHighlights } from '@emma/mail/subject/read-highlights.ts'
import { suggestSubjects } from '@emma/mail/subject/suggest-subjects.ts'
import type { z } from 'zod'
import { testFeed } from '../../content/feeds/test-feed.ts'
import { writeSubjects } from '../../content/write-subjects.ts'
import { sendTestProcessMail } from '../../mail/send-test-message.ts'
import type { Http } from '../http.ts'
import { type Call, mountAction } from '../mount-action.ts'
import { mountCatalogActions } from './catalog.ts'

type RenderCall = Pick<
  Call<z.infer<typeof content.renderMessage.params>, z.infer<typeof content.renderMessage.query>, unknown>,
  'db' | 'actor' | 'params' | 'query'
>

/** Mounts rendering, subjects, versions, and link tracking of messages, and the texts of process mails. */
export function mountContentActions(http: Http): void {
  const { trackingUrl } = http.config
  const key = http.config.deriveKey('secrets at rest')
  const placeholders = placeholderOperations(key)
  const { previews } = http
  const compiler = { compile: previews.compile, trackingBase: trackingUrl }
  const messages = messageOperations(compiler)
  mountCatalogActions(http, previews)

  function read(call: RenderCall, unsaved: z.output<typeof content.renderUnsaved.body> = {}) {
    const { db, actor, params, query } = call
    if (params.member_id !== 0) assertMayReadMembers(actor)
    const request = { memberId: params.member_id, memberTableId: query.member_table_id, unsaved }
    const scope = scopeOf(actor, params.client_id)
    return readMessageForOne(db, actor, scope, params.id, trackingUrl, request)
  }
  mountAction(http, content.renderMessage, async call => renderMessage(await read(call), previews.preview))
  mountAction(http, content.renderUnsaved, async call =>
    renderMessage(await read(call, call.body), previews.preview),
  )
  mountAction(http, content.renderCanvas, async call =>
    renderMessageCanvas(await read(call, call.body), previews.canvas),
  )

  mountAction(http, content.convertSections, async ({ db, params, body: { body_mjml: mjml } }) => {
    if (!(await clientExists(db, params.client_id))) throw new EmmaError('not_found')
    return withFieldErrors({ mjml }, () => previews.sections(params.client_id, mjml))
  })

  mountAction(http, shippedProcessMail, async ({ actor, params, query }) => {
    scopeOf(actor, params.client_id)
    return shippedContent(query.process, query.lang)
  })

  mountAction(http, renderProcessMail, async ({ db, actor, params, body }) => {
    scopeOf(actor, params.client_id)
    const { with_canvas: hasCanvas, ...mail } = body
    const rendered = await renderContent(db, params.client_id, mail, trackingUrl, previews.preview, hasCanvas)
    const unsendable = await senderFindings(db, params.client_id, mail)
    return { ...rendered, warnings: [...rendered.warnings, ...unsendable] }
  })

  mountAction(http, testProcessMail, async ({ db, actor, params, body }) => {
    scopeOf(actor, params.client_id)
    const { emails, test_group_id, domain_id = null, process, ...fields } = body
    if (isPage(process)) throw invalid([fieldError('process', 'field.not_there')])
    // Faults of the content are reported by field before anything is sent.
    const mail = { ...fields, process }
    await compileMessage(db, params.client_id, messageOfProcess(mail), compiler)
    const targets = { emails, test_group_id }
    const request = { process, content: { ...mail, domain_id }, targets }
    const results = await sendTestProcessMail(http, params.client_id, request)
    if (results.length === 0) throw invalid([fieldError('emails', 'field.recipients')])
    return { results }
  })

  mountAction(http, content.listDeletedMessages, async ({ db, params, query }) => {
    if (!(await clientExists(db, params.client_id))) throw new EmmaError('not_found')
    return listDeletedMessages(db, params.client_id, query)
  })

  mountAction(http, content.generateSubject, async ({ db, actor, params, body }) => {
    const scope = scopeOf(actor, params.client_id)
    if (!(await clientExists(db, params.client_id))) throw new EmmaError('not_found')
    const { html, message_id: id, lang, tone, n: count } = body
    if (!html && !id) throw invalid([fieldError('message_id', 'field.required')])
    const saved = html || !id ? null : await findStoredMessage(db, actor, scope, id)
    const source = html || (saved?.body_mjml ?? saved?.body_long ?? saved?.body_text ?? '')
    const highlights = readHighlights(source)
    const request = { lang, tone, count }
    return suggestSubjects(highlights, request, await writeSubjects(http, highlights, request))
  })

  mountAction(http, reportEditor, async ({ db, actor, params, body }) => {
    const { userId } = actor
    if (userId === null) return { others: [] }
    const window = { clientId: params.client_id, messageId: params.id, userId, windowId: body.window_id }
    await noteEditor(db, window, body.closes)
    return { others: body.closes ? [] : await listOtherEditors(db, window) }
  })

  mountAction(http, versions.listMessageVersions, ({ db, params, query }) =>
    listVersions(db, { clientId: params.client_id, messageId: params.id }, query),
  )
  mountAction(http, versions.readMessageVersion, ({ db, params }) =>
    readVersion(db, { clientId: params.client_id, messageId: params.id, versionId: params.version_id }),
  )
  mountAction(http, versions.nameMessageVersion, ({ db, actor, params, body }) =>
    nameVersion(
      db,
      actor,
      { clientId: params.client_id, messageId: params.id, versionId: params.version_id },
      body.name,
    ),
  )
  mountAction(http, versions.restoreMessageVersion, ({ db, actor, params }) =>
    restoreVersion(db, messages, actor, {
      clientId: params.client_id,
      messageId: params.id,
      versionId: params.version_id,
    }),
  )

  mountAction(http, content.trackMessage, async ({ db, actor, params }) => {
    const tracked = await messages.patch(
      db,
      actor,
      accessibleClients(actor),
      params.id,
      { is_tracked: true },
      { revision: null },
    )
    return { is_tracked: tracked.is_tracked, urls: tracked.urls }
  })

  mountAction(http, content.untrackMessage, async ({ db, actor, params }) => {
    const untracked = await messages.patch(
      db,
      actor,
      accessibleClients(actor),
      params.id,
      { is_tracked: false },
      { revision: null },
    )
    return { is_tracked: untracked.is_tracked, urls: untracked.urls }
  })

  mountAction(http, content.testFeed, async ({ db, actor, params, body }) => {
    const { client_id: clientId } = params
    if (!(await clientExists(db, clientId))) throw new EmmaError('not_found')
    if (body.module_id) {
      await placeholders.find(db, actor, scopeOf(actor, clientId), body.module_id)
      await logChange(db, actor, { clientId, object: 'placeholder', id: body.module_id, action: 'testFeed' })
    }
    return testFeed(db, key, clientId, body, 'public')
  })
}
