import { ApiError } from '@emma/client/api-error.ts'
import { describeError } from '@emma/client/describe-error.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { t } from 'i18next'
import { translateFault } from './text-of-fault.ts'
import { translateError } from './translate-error.ts'

/** Id of the notification that the server cannot be reached: one for all calls, closed on reconnect. */
export const unreachableId = 'unreachable'

/** Translates an error, by the code of its fault if it has a text; falls back to its own message (R316). */
export function errorText(error: unknown): string {
  const translated = error instanceof ApiError && error.fault ? translateFault(error.fault) : null
  if (translated !== null) return translated
  const description = describeError(error)
  if ('key' in description) return t(description.key, description.values ?? {})
  return translateError(error) ?? description.text
}

/** Shows an error as a danger notification, titled with the generic message (R316). */
export function showError(error: unknown): void {
  if (error instanceof Error && error.name === 'AbortError') return
  const description = describeError(error)
  const isUnreachable = 'key' in description && description.key === 'errors.network'
  notify.danger(errorText(error), {
    title: t('errors.generic_message'),
    ...(isUnreachable ? { id: unreachableId } : {}),
  })
}
