import { describeError } from '@emma/client/describe-error.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { t } from 'i18next'

/** Translations of server errors. */
interface ServerWords {
  /** Translates a rejected call; null if there is no translation. */
  refusal: (error: unknown) => string | null
  /** Translates a field error; returns the original if there is no translation. */
  fault: (message: string) => string
}

/** Id of the notification that the server cannot be reached: one for all calls, closed on reconnect. */
export const unreachableId = 'unreachable'

let serverWords: ServerWords = { refusal: () => null, fault: message => message }

/** Set when the API code is loaded: without it there are no server errors. */
export function setServerErrorTexts(words: ServerWords): void {
  serverWords = words
}

/** Translates a field error of the server. */
export function faultText(message: string): string {
  return serverWords.fault(message)
}

/** Translates an error; falls back to its own message (R316). */
export function errorText(error: unknown): string {
  const description = describeError(error)
  if ('key' in description) return t(description.key, description.values ?? {})
  return serverWords.refusal(error) ?? description.text
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
