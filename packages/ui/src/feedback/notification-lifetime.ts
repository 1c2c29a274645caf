import { actionLifetime, notificationLifetime } from '../theme/timings.ts'

export type NotificationKind = 'success' | 'info' | 'warning' | 'danger'

/** Options that decide how long a notification stays. */
interface Staying {
  permanent?: boolean | undefined
  /** Has an action button, which takes longer to use than the text to read. */
  offersAction?: boolean
}

/** Lifetime of a notification in ms; `false`: until it is closed (R013). */
export function lifetimeOf(
  kind: NotificationKind,
  { permanent = false, offersAction = false }: Staying = {},
): number | false {
  if (permanent || kind === 'warning' || kind === 'danger') return false
  return offersAction ? actionLifetime : notificationLifetime
}
