import { actionLifetime, notificationLifetime } from '../theme/timings.ts'

export type NotificationKind = 'success' | 'info' | 'warning' | 'danger'

/** What decides how long a notification stays. */
interface Staying {
  permanent?: boolean | undefined
  /** It offers an action, which takes longer than reading it. */
  offersAction?: boolean
}

/** How long a notification stays, in ms; `false`: until it is closed (R013). */
export function lifetimeOf(
  kind: NotificationKind,
  { permanent = false, offersAction = false }: Staying = {},
): number | false {
  if (permanent || kind === 'warning' || kind === 'danger') return false
  return offersAction ? actionLifetime : notificationLifetime
}
