import { createNotificationService } from '@emma/client/notification-service.ts'
import type { SocketData } from '@emma/contract/socket.ts'
import { exists, t } from 'i18next'
import { api } from '../session/api.ts'
import { replyRuleName } from '../resource/reply-rule-name.ts'
import { translateReason } from '../i18n/translate-error.ts'

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
  const reason = details?.['reason']
  const rule = details?.['rule']
  const words = {
    ...(typeof reason === 'string' ? { reason: translateReason(reason) } : {}),
    ...(typeof rule === 'string' ? { rule: replyRuleName(rule) } : {}),
    ...(details?.['provider'] === 'other' ? { provider: t('notifications.provider_other') } : {}),
  }
  return t(key, { ...details, ...words, interpolation: { escapeValue: false } })
}
