import { isAmericanClock } from '../clock.ts'
import { useLanguage, useTimeZone } from '../i18n.tsx'
import type { FirstDay } from './calendar-days.ts'

/** Weeks begin on Sunday in American English, on Monday elsewhere. */
export function useFirstDay(): FirstDay {
  return isAmericanClock(useLanguage(), useTimeZone()) ? 0 : 1
}
