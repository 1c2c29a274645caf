import { STATUS_CODES } from 'node:http'
import { EmmaError, invalid } from '@emma/contract/errors.ts'
import { type Fault, fault } from '@emma/contract/faults.ts'
import { readSettingSecret, readSystemSettings } from '@emma/core/platform/system-settings.ts'
import { z } from 'zod'
import type { Http } from '../http/http.ts'
import { guardedFetch } from './guarded-fetch.ts'

/** A login token of Beefree's editor. */
export interface BeefreeToken {
  access_token: string
  /** ISO 8601. */
  expires: string
  v2: boolean
}

/** Beefree's services; each is used only with its credentials, which stay on this server. */
export interface Beefree {
  /**
   * A token for a client's users, the same until it expires (R301).
   * @throws EmmaError `conflict` with the texts of R319
   */
  token(clientId: number): Promise<BeefreeToken>
  /** The HTML of a design. @throws EmmaError `invalid` without a key, or if Beefree rejects it */
  exportHtml(design: object): Promise<string>
}

/** Milliseconds that a token is valid, and before its end when it is not given out any more. */
const VALID_MS = 300_000
const MARGIN_MS = 30_000

/** Tokens in memory, each of one client. */
const CACHED_TOKENS = 1_000

const limits = { timeout: 15_000, most: 5_000_000 }

const loginReply = z.object({ access_token: z.string().min(1).max(20_000), v2: z.boolean().default(true) })

export function createBeefree({ db, config, logger }: Pick<Http, 'db' | 'config' | 'logger'>): Beefree {
  const key = config.deriveKey('secrets at rest')
  const ask = guardedFetch(config.webhookLoopback ? 'loopback' : 'public', limits)
  const tokens = new Map<string, { token: Promise<BeefreeToken>; until: number }>()

  async function call(url: string, headers: Record<string, string>, body: object): Promise<Response> {
    try {
      const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
      return await ask(url, { ...options, body: JSON.stringify(body) })
    } catch (error) {
      logger.warn({ err: error }, 'Beefree cannot be reached')
      throw new EmmaError('conflict', fault('beefree.unreachable'))
    }
  }

  async function logIn(url: string, credentials: object): Promise<BeefreeToken> {
    const expires = new Date(Date.now() + VALID_MS).toISOString()
    const answer = await call(url, {}, credentials)
    if (!answer.ok) throw new EmmaError('conflict', fault('beefree.token', statusOf(answer)))
    const reply = loginReply.safeParse(await answer.json().catch(() => null))
    if (!reply.success) throw new EmmaError('conflict', fault('beefree.no_token'))
    return { ...reply.data, expires }
  }

  return {
    async token(clientId) {
      const { beefree } = await readSystemSettings(db)
      const secret = await readSettingSecret(db, key, 'beefree')
      if (!beefree.is_enabled || beefree.client_id === null || secret === null)
        throw new EmmaError('conflict', fault('beefree.off'))
      const credentials = { client_id: beefree.client_id, client_secret: secret, uid: `client-${clientId}` }
      // Other credentials get other tokens.
      const place = JSON.stringify([beefree.url, credentials])
      const cached = tokens.get(place)
      if (cached && cached.until > Date.now()) return cached.token
      const token = logIn(beefree.url, credentials)
      tokens.delete(place)
      tokens.set(place, { token, until: Date.now() + VALID_MS - MARGIN_MS })
      const [oldest] = tokens.keys()
      if (tokens.size > CACHED_TOKENS && oldest !== undefined) tokens.delete(oldest)
      token.catch(() => tokens.delete(place))
      return token
    },

    async exportHtml(design) {
      const { beefree_export: service } = await readSystemSettings(db)
      const secret = await readSettingSecret(db, key, 'beefree_export')
      if (secret === null || service.url === null) throw rejected(fault('beefree.no_key'))
      const answer = await call(service.url, { authorization: `Bearer ${secret}` }, design)
      if (!answer.ok) throw rejected(fault('beefree.export', statusOf(answer)))
      return answer.text()
    },
  }
}

function rejected({ code, values, message }: Fault): EmmaError {
  return invalid([{ field: 'html', code, ...(values && { values }), message }])
}

function statusOf({ status }: Response): { status: number; statusText: string } {
  return { status, statusText: STATUS_CODES[status] ?? '' }
}

/** A design in Beefree's format (`page` with `rows`); null for any other text. */
export function readBeefreeDesign(source: string): z.output<typeof designSchema> | null {
  if (!/^\s*\{/.test(source)) return null
  try {
    return designSchema.parse(JSON.parse(source))
  } catch {
    return null
  }
}

const designSchema = z.looseObject({ page: z.looseObject({ rows: z.array(z.looseObject({})).min(1) }) })
