import { z } from 'zod'

const id = z.int()
const count = z.number().nonnegative()

/**
 * WebSocket subprotocols that a console offers (RFC 6455, 1.9): that of these messages, and the session token. Browsers
 * can set no other header here, and proxies log URLs.
 */
export function socketProtocols(token: string): string[] {
  return [socketProtocol, `${tokenPrefix}${token}`]
}

export const socketProtocol = 'emma'
const tokenPrefix = 'emma.token.'

/** Extracts the token from the subprotocols of a request (`Sec-WebSocket-Protocol`), or null. */
export function socketToken(protocols: string | undefined): string | null {
  const offered = (protocols ?? '').split(',').map(protocol => protocol.trim())
  return offered.find(protocol => protocol.startsWith(tokenPrefix))?.slice(tokenPrefix.length) ?? null
}

/**
 * Messages from the server to the console over `/api/socket`: frames of `{ type, data }`. The console ignores unknown
 * types, so that a newer server does not break an older page.
 */
export const socketMessages = {
  /** Shown as error notification (R291). */
  ERROR: z.looseObject({ message: z.string() }),
  NOTIFICATION: z.looseObject({
    id: z.union([z.string(), id]),
    kind: z.enum(['success', 'info', 'warning', 'danger']),
    /** Code and details for the text in the reader's language (actions/notifications.ts). */
    code: z.string().nullish(),
    details: z.record(z.string(), z.unknown()).nullish(),
    text: z.string(),
    /** Console path of the related screen. */
    path: z.string().nullish(),
    /** User who caused the notification, for whom it is marked as read. */
    known_to: id.nullish(),
  }),
  CAMPAIGN_PROGRESS: z.looseObject({
    campagne_id: id,
    name: z.string(),
    progress_cur: count,
    estimated_volume: count,
    /** Mails per second over the last few seconds. */
    rate: count.nullish(),
    /** Remaining seconds. */
    eta: count.nullish(),
  }),
  /** `valid`: see campaign-states.ts. */
  CAMPAIGN_STATUS: z.looseObject({ campagne_id: id, name: z.string(), valid: z.int() }),
  /** Comments or the approval of a campaign changed. */
  CAMPAIGN_REVIEW: z.looseObject({ campagne_id: id }),
  /** An import, export or other background job. */
  JOB_PROGRESS: z.looseObject({
    id: z.union([z.string(), id]),
    /** Name to display: of the file or segment. */
    name: z.string(),
    state: z.enum(['running', 'finished', 'failed', 'cancelled']),
    done: count,
    /** `null` while unknown. */
    total: count.nullable(),
    path: z.string().nullish(),
  }),
  DOWNLOAD_READY: z.looseObject({ id, name: z.string() }),
  ALERT: z.looseObject({ id, text: z.string(), path: z.string().nullish() }),
  /** A message of the day was added or changed. */
  MOTD: z.looseObject({ id }),
  /** Texts of the console were edited (R295). */
  TRANSLATIONS: z.looseObject({ language: z.string() }),
} as const

export type SocketMessageType = keyof typeof socketMessages
export type SocketData<T extends SocketMessageType> = z.infer<(typeof socketMessages)[T]>
