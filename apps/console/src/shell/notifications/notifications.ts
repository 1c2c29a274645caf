import { createNotificationService } from '@emma/client/notification-service.ts'
import type { SocketData } from '@emma/contract/socket.ts'
import { exists, t } from 'i18next'
import { api } from '../session/api.ts'
import { replyRuleName } from '../resource/reply-rule-name.ts'
import { isFault, textOfFault } from '../i18n/text-of-fault.ts'

/** The notifications of the person at work (R290). */
export const notifications = createNotificationService(api)

/** The query keys under which they are kept. */
export const notificationKey = ['notification'] as const

/** A notification in the reader's language, where the console knows what it is. */
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
