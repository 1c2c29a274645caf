import { createNotificationService } from '@emma/client/notification-service.ts'
import type { SocketData } from '@emma/contract/socket.ts'
import { exists, t } from 'i18next'
import { api } from '../session/api.ts'
import { replyRuleName } from '../resource/reply-rule-name.ts'
import { isFault, textOfFault } from '../i18n/text-of-fault.ts'

/** Notification service of the logged-in user (R290). */
export const notifications = createNotificationService(api)

/** Query key prefix of notifications. */
export const notificationKey = ['notification'] as const

/** Text of a notification in the user's language; the server's text if its code is unknown. */
export function notificationText({
  code,
  details,
  text,
}: Pick<SocketData<'NOTIFICATION'>, 'code' | 'details' | 'text'>): string {
  const key = `notifications.codes.${code}`
  if (!exists(key)) return text
  const fault = details?.['fault']
  const rule = details?.['rule']
  const words = {
    ...(isFault(fault) ? { reason: textOfFault(fault) } : {}),
    ...(typeof rule === 'string' ? { rule: replyRuleName(rule) } : {}),
    ...(details?.['provider'] === 'other' ? { provider: t('notifications.provider_other') } : {}),
  }
  return t(key, { ...details, ...words, interpolation: { escapeValue: false } })
}
