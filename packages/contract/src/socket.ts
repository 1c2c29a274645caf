import { z } from 'zod'

const id = z.int()
const count = z.number().nonnegative()

/**
 * The subprotocols that a console offers (RFC 6455, 1.9): the one of these messages, and the token of its session. Browsers set no
 * other header here, and addresses are kept in the logs of proxies.
 */
export function socketProtocols(token: string): string[] {
  return [socketProtocol, `${tokenPrefix}${token}`]
}

export const socketProtocol = 'emma'
const tokenPrefix = 'emma.token.'

/** The token among the subprotocols of a request (`Sec-WebSocket-Protocol`), or null. */
export function socketToken(protocols: string | undefined): string | null {
  const offered = (protocols ?? '').split(',').map(protocol => protocol.trim())
  return offered.find(protocol => protocol.startsWith(tokenPrefix))?.slice(tokenPrefix.length) ?? null
}

/**
 * What the server tells the console over `/api/socket`: frames of `{ type, data }`. Types that are not
 * here are ignored by the console, so a newer server does not break an older page.
 */
export const socketMessages = {
  /** Shown as error notification (R291). */
  ERROR: z.looseObject({ message: z.string() }),
  NOTIFICATION: z.looseObject({
    id: z.union([z.string(), id]),
    kind: z.enum(['success', 'info', 'warning', 'danger']),
    /** What it is, with its details, to be said in the reader's language (actions/notifications.ts). */
    code: z.string().nullish(),
    details: z.record(z.string(), z.unknown()).nullish(),
    text: z.string(),
    /** Path of the console that shows what it is about. */
    path: z.string().nullish(),
    /** The person who did it, to whom it is no news. */
    known_to: id.nullish(),
  }),
  CAMPAIGN_PROGRESS: z.looseObject({
    campagne_id: id,
    name: z.string(),
    progress_cur: count,
    estimated_volume: count,
    /** Mails a second, of the last few seconds. */
    rate: count.nullish(),
    /** Seconds to go. */
    eta: count.nullish(),
  }),
  /** `valid`: see campaign-states.ts. */
  CAMPAIGN_STATUS: z.looseObject({ campagne_id: id, name: z.string(), valid: z.int() }),
  /** An import, export or other work in the background. */
  JOB_PROGRESS: z.looseObject({
    id: z.union([z.string(), id]),
    /** Name for people: of the file, of the segment. */
    name: z.string(),
    state: z.enum(['running', 'finished', 'failed', 'cancelled']),
    done: count,
    /** `null` while it is not known yet. */
    total: count.nullable(),
    path: z.string().nullish(),
  }),
  DOWNLOAD_READY: z.looseObject({ id, name: z.string() }),
  ALERT: z.looseObject({ id, text: z.string(), path: z.string().nullish() }),
  /** There is a new message of the day. */
  MOTD: z.looseObject({ id }),
  /** Texts of the console were edited (R295). */
  TRANSLATIONS: z.looseObject({ language: z.string() }),
} as const

export type SocketMessageType = keyof typeof socketMessages
export type SocketData<T extends SocketMessageType> = z.infer<(typeof socketMessages)[T]>
