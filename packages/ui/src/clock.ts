/** Time zones with 12-hour clock and weeks starting on Sunday, for English users. */
const americanZone = /^(?:America|US)\/|^Pacific\/Honolulu$/

/** Locales that say nothing about the country: browsers in all countries are set to them. */
const anywhere: ReadonlySet<string> = new Set(['en', 'en-US'])

/**
 * True for the 12-hour clock: where the region of the locale has it; English without a region, or American English, in
 * American time zones.
 *
 * @param timeZone IANA name; the browser's by default
 */
export function hasTwelveHours(locale: string, timeZone = browserZone()): boolean {
  if (anywhere.has(locale)) return americanZone.test(timeZone)
  return new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true
}

/** Options of a time format for the clock of a locale. */
export function clockOf(locale: string, timeZone?: string): { hourCycle?: 'h23' } {
  return hasTwelveHours(locale, timeZone) ? {} : { hourCycle: 'h23' }
}

/** True for weeks that start on Sunday, by the same rule as `hasTwelveHours`; weeks of other locales start on Monday. */
export function startsOnSunday(locale: string, timeZone = browserZone()): boolean {
  if (anywhere.has(locale)) return americanZone.test(timeZone)
  const region: Intl.Locale & { getWeekInfo?: () => { firstDay: number } } = new Intl.Locale(locale)
  return region.getWeekInfo?.().firstDay === 7
}

/** IANA name of the browser's time zone. */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
