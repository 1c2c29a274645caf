import { isAmericanClock } from '../clock.ts'
import { useLanguage, useTimeZone } from '../i18n.tsx'
import type { FirstDay } from './calendar-days.ts'

/** First day of the week: Sunday in American English, Monday otherwise. */
export function useFirstDay(): FirstDay {
  return isAmericanClock(useLanguage(), useTimeZone()) ? 0 : 1
}
