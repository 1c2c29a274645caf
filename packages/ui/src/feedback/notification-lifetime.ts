import { notificationLifetime } from '../theme/timings.ts'

export type NotificationKind = 'success' | 'info' | 'warning' | 'danger'

/** How long a notification stays, in ms; `false`: until it is closed (R013). */
export function lifetimeOf(kind: NotificationKind, permanent = false): number | false {
  return permanent || kind === 'warning' || kind === 'danger' ? false : notificationLifetime
}
