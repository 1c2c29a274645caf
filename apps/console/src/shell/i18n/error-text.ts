import { describeError } from '@emma/client/describe-error.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { t } from 'i18next'

/** The person's words for what the server says. */
interface ServerWords {
  /** Of a refusal; null where the console knows none. */
  refusal: (error: unknown) => string | null
  /** Of a fault in a field; as it came where the console knows none. */
  fault: (message: string) => string
}

/** The notification that the server cannot be reached: one for all calls, closed when it can be. */
export const unreachableId = 'unreachable'

let serverWords: ServerWords = { refusal: () => null, fault: message => message }

/** They come with what talks to the server: nothing else has refusals to tell. */
export function setServerErrorTexts(words: ServerWords): void {
  serverWords = words
}

/** What the server says of a field, in the person's words. */
export function faultText(message: string): string {
  return serverWords.fault(message)
}

/** An error in the person's words: mapped where the console knows better, as it came otherwise (R316). */
export function errorText(error: unknown): string {
  const description = describeError(error)
  if ('key' in description) return t(description.key, description.values ?? {})
  return serverWords.refusal(error) ?? description.text
}

/** Shows an error as danger notification, titled with the generic message (R316). */
export function showError(error: unknown): void {
  if (error instanceof Error && error.name === 'AbortError') return
  const description = describeError(error)
  const isUnreachable = 'key' in description && description.key === 'errors.network'
  notify.danger(errorText(error), {
    title: t('errors.generic_message'),
    ...(isUnreachable ? { id: unreachableId } : {}),
  })
}
