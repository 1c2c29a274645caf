import { useFirstDay } from '../calendar/use-first-day.ts'
import { useLanguage, useLocale } from '../i18n.tsx'
import { layers } from '../theme/timings.ts'
import { datePattern } from './date-pattern.ts'

/** Properties of Mantine's date inputs for the user's locale. */
export function useDateProps() {
  return {
    locale: useLanguage(),
    valueFormat: datePattern(useLocale()),
    firstDayOfWeek: useFirstDay(),
    highlightToday: true,
    popoverProps: { zIndex: layers.popover },
  } as const
}
