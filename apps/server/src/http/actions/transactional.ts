import * as contract from '@emma/contract/actions/transactional.ts'
import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { type Actor, accessibleClients, canAccessClient, ownClient } from '@emma/core/resource/actor.ts'
import {
  assertCall,
  createMailAcceptor,
  type FieldPath,
  type MailTemplate,
} from '@emma/core/transactional/accept-mails.ts'
import { cancelMail, findMail, listMails, resendMail } from '@emma/core/transactional/mail-log.ts'
import { rotateMailKey } from '@emma/core/transactional/mail-key.ts'
import { readMailTemplate } from '@emma/core/transactional/mail-template.ts'
import { readMailValues } from '@emma/core/transactional/read-mail-values.ts'
import { readTransactionalReport } from '@emma/core/transactional/read-transactional-report.ts'
import { faultOf, isFault } from '@emma/delivery/engine/hold-campaign.ts'
import type { FastifyRequest } from 'fastify'
import { renderTransactional } from '../../content/render-transactional.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { presentPage } from '../page.ts'

/** Mounts what programs call to send transactional emails, their log, key and report. */
export function mountTransactionalActions(http: Http): void {
  const { config, kept, countCall, previews } = http
  const acceptor = createMailAcceptor(http.db)

  async function templateOf(actor: Actor, id: number): Promise<MailTemplate> {
    const template = await kept.mailTemplates.get(String(id), () =>
      readMailTemplate(http.db, { clientIds: 'all' }, id),
    )
    if (!canAccessClient(actor, template.clientId)) throw new EmmaError('not_found')
    return template
  }

  async function accept(
    { actor, params, request }: SendCall,
    calls: readonly contract.MailCall[],
    at: FieldPath,
  ): Promise<contract.AcceptedMail[]> {
    const template = await templateOf(actor, params.id)
    const { id, ratePerMinute } = template
    if (ratePerMinute > 0)
      countCall(request, `transactional ${id}`, { limit: ratePerMinute, calls: calls.length })
    return acceptor.accept(template, calls, at)
  }

  async function render(
    { clientId, id, isFree = false }: { clientId: number; id: number; isFree?: boolean },
    campaignId: number | null,
    values: Parameters<typeof renderTransactional>[4],
  ) {
    const content = { clientId, transactionalId: id, campaignId, isFree }
    try {
      return await renderTransactional(http.db, config, previews.preview, content, values)
    } catch (error) {
      if (isFault(error)) throw new EmmaError('wrong_state', faultOf(error))
      throw error
    }
  }

  mountAction(http, contract.sendTransactional, async call => {
    const key = call.body.idempotency_key ?? idempotencyHeader(call.request)
    const [accepted] = await accept(call, [{ ...call.body, idempotency_key: key }], () => '')
    if (!accepted) throw new Error('An accepted email has no answer')
    return accepted
  })

  mountAction(http, contract.sendTransactionalBatch, async call => ({
    mails: await accept(
      call,
      call.body.mails.map(mail => ({ ...mail, attachments: [] })),
      index => `mails.${index}.`,
    ),
  }))

  mountAction(http, contract.renderTransactional, async ({ actor, params, body }) => {
    const template = await templateOf(actor, params.id)
    const { email, name, data, lang, subject } = body
    assertCall(template, { ...body, attachments: [], idempotency_key: null })
    const member = { email, ...(name === null ? {} : { name }) }
    return render(template, null, { member, data, lang, subject })
  })

  mountAction(http, contract.readSubmission, async () => ({
    host: config.submissionTls ? new URL(config.publicUrl).hostname : config.submissionHost,
    port: config.submissionPort,
    tls: config.submissionTls !== undefined,
  }))

  mountAction(http, contract.rotateTransactionalKey, ({ db, actor, params }) =>
    rotateMailKey(db, actor, accessibleClients(actor), params.id),
  )

  mountAction(http, contract.listTransactionalMails, async ({ db, actor, params, query }) => {
    const template = await templateOf(actor, params.id)
    return presentPage(await listMails(db, template, query), query.limit, query.offset)
  })

  mountAction(http, contract.findTransactionalMail, async ({ db, actor, params }) => {
    const { clientId, id, memberTableId } = await templateOf(actor, params.id)
    const mailId = params.mail_id
    const { logged, campaignId, data, attachments, isFree } = await findMail(db, { clientId, id, mailId })
    const values = data && (await readMailValues(db, clientId, memberTableId, [mailId])).get(mailId)
    return {
      ...logged,
      data,
      attachments,
      rendered: values ? await render({ clientId, id, isFree }, campaignId, values) : null,
    }
  })

  mountAction(http, contract.cancelTransactionalMail, async ({ db, actor, params }) => {
    const { clientId, id } = await templateOf(actor, params.id)
    await cancelMail(db, actor, { clientId, id, mailId: params.mail_id })
    return { ok: true as const }
  })

  mountAction(http, contract.resendTransactionalMail, async ({ db, actor, params }) => {
    const { clientId, id } = await templateOf(actor, params.id)
    return resendMail(db, actor, { clientId, id, mailId: params.mail_id })
  })

  mountAction(http, contract.readTransactionalReport, async ({ db, actor, query }) => ({
    data: await readTransactionalReport(db, ownClient(actor, query.client_id), query),
  }))
}

interface SendCall {
  actor: Actor
  params: { id: number }
  request: FastifyRequest
}

function idempotencyHeader({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key']
  if (key === undefined || key === '') return null
  const parsed = contract.mailCall.shape.idempotency_key.safeParse(key)
  if (!parsed.success) throw invalid([fieldError('Idempotency-Key', 'field.invalid')])
  return parsed.data
}
