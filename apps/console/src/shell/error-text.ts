import { describeError } from '@emma/client/describe-error.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { t } from 'i18next'
import { translateError } from './translate-error.ts'

/** An error in the person's words: mapped where the console knows better, as it came otherwise (R316). */
export function errorText(error: unknown): string {
  const description = describeError(error)
  if ('key' in description) return t(description.key, description.values ?? {})
  return translateError(error) ?? description.text
}

/** Shows an error as danger notification, titled with the generic message (R316). */
export function showError(error: unknown): void {
  if (error instanceof Error && error.name === 'AbortError') return
  notify.danger(errorText(error), { title: t('errors.generic_message') })
}
