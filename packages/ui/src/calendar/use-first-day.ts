import { startsOnSunday } from '../clock.ts'
import { useLocale, useTimeZone } from '../i18n.tsx'
import type { FirstDay } from './calendar-days.ts'

/** First day of the week of the user's region. */
export function useFirstDay(): FirstDay {
  return startsOnSunday(useLocale(), useTimeZone()) ? 0 : 1
}
