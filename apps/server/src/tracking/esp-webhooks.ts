import type { Readable } from 'node:stream'
import { EmmaError } from '@emma/contract/errors.ts'
import { recordEspEvents } from '@emma/core/esps/record-esp-events.ts'
import { findWebhookLogin, type WebhookLogin } from '@emma/core/esps/webhook-login.ts'
import { openSecret } from '@emma/core/deliverability/secret-box.ts'
import type { Db } from '@emma/db/connection.ts'
import { parseWebhook, type WebhookEsp, webhookEsps } from '@emma/mail/esp/parse-webhook.ts'
import { type FetchText, readSns } from '@emma/mail/esp/sns-message.ts'
import { isGenuine, onceOf, type WebhookCall } from '@emma/mail/esp/verify-webhook.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Logger } from '../logger.ts'
import { mailTokenKey } from '../mail-token-key.ts'
import { readBytes } from '../http/read-body.ts'
import { ByteBudget } from '../network/byte-budget.ts'
import { TRACKING_LIMITS } from '../network/limits.ts'
import { guardedFetch } from '../provider/guarded-fetch.ts'
import { createBoundedMap } from '../bounded-map.ts'

export interface EspWebhookContext {
  app: FastifyInstance
  config: Pick<Config, 'deriveKey'>
  db: Db
  logger: Logger
  /** Fetches Amazon's certificates and confirms subscriptions; tests replace it. */
  fetchText?: FetchText
}

/**
 * Mounts `POST /hook/{esp}/{token}`: events of ESPs (domain.md Part 3). The token identifies the login; the call must
 * be signed as the ESP signs, or contain the login's user and password. Responds after the events are stored, so that
 * an ESP repeats lost ones.
 */
export function mountEspWebhooks({
  app,
  config,
  db,
  logger,
  fetchText = fetchPublic,
}: EspWebhookContext): void {
  const secretKey = config.deriveKey('secrets at rest')
  const tokenKey = mailTokenKey(config)
  const certificates = createBoundedMap<string>(10)
  const fetchCertificate = async (url: string) => (await certificates.get(url, () => fetchText(url))) ?? ''
  void app.register(async scope => {
    scope.removeAllContentTypeParsers()
    // SparkPost and SendGrid send batches of some thousand events.
    const { webhookBodyBytes, webhookBodiesBytes } = TRACKING_LIMITS
    const budget = new ByteBudget(webhookBodiesBytes)
    scope.addContentTypeParser('*', async (_request: FastifyRequest, payload: Readable) => {
      const pieces = payload.iterator({ destroyOnReturn: false })
      const body = await readBytes(pieces, webhookBodyBytes, budget)
      body.release()
      return body.bytes
    })
    scope.setErrorHandler((error, _request, reply) => {
      const status = statusOf(error)
      if (status >= 500) logger.error({ err: error }, 'Events of an ESP could not be recorded')
      return reply.status(status >= 500 ? 503 : status).send({ error: 'The events were not taken.' })
    })

    // Before the body is read: only the URL of a login accepts this size.
    const logins = new WeakMap<object, { esp: WebhookEsp; login: WebhookLogin }>()
    const onRequest = async (
      request: FastifyRequest<{ Params: { esp: string; token: string } }>,
      reply: FastifyReply,
    ) => {
      const esp = webhookEsps.find(name => name === request.params.esp)
      const login = esp && (await findWebhookLogin(db, esp, request.params.token))
      if (!login) return reply.status(404).send({ error: 'There is no such webhook.' })
      logins.set(request, { esp, login })
    }

    scope.post<{ Params: { esp: string; token: string } }>(
      '/hook/:esp/:token',
      { onRequest },
      async (request, reply) => {
        const target = logins.get(request)
        if (!target) throw new Error('The webhook of this call was not looked up.')
        const { esp, login } = target
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const call = { headers: request.headers, body, json: parse(body) }
        const secret = login.webhook_secret === null ? '' : openSecret(secretKey, login.webhook_secret)
        const verified = await readCall(esp, call, secret, { fetchText, fetchCertificate })
        if (verified === null) {
          logger.warn({ esp, login: login.id }, 'A webhook call without a valid signature of its ESP')
          return reply.status(401).send({ error: 'The call is not signed as it should be.' })
        }
        const source = { clientId: login.client_id, loginId: login.id, once: onceOf(esp, call) }
        const count = await recordEspEvents(db, tokenKey, source, parseWebhook(esp, verified.body))
        return reply.status(200).send({ recorded: count })
      },
    )
  })
}

function statusOf(error: unknown): number {
  if (error instanceof EmmaError) return error.status
  return error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
}

/** Returns the content of a genuine call; null for any other. Confirms Amazon's subscriptions on the way. */
async function readCall(
  esp: WebhookEsp,
  call: WebhookCall,
  secret: string,
  { fetchText, fetchCertificate }: { fetchText: FetchText; fetchCertificate: FetchText },
): Promise<{ body: unknown } | null> {
  if (esp !== 'ses') return isGenuine(esp, call, secret) ? { body: call.json } : null
  const message = await readSns(call.json, secret, fetchCertificate)
  if (message === null) return null
  if (message.type === 'notification') return { body: message.message }
  await fetchText(message.url)
  return { body: {} }
}

const fetchGuarded = guardedFetch('public')

async function fetchPublic(url: string): Promise<string> {
  const answer = await fetchGuarded(url, {})
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return answer.text()
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}
