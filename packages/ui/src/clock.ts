/** Time zones with 12-hour clock and weeks starting on Sunday, for English users. */
const americanZone = /^(?:America|US)\/|^Pacific\/Honolulu$/

/**
 * True for the 12-hour clock and weeks starting on Sunday (English in an American time zone), false for 24 hours and
 * Monday.
 *
 * @param timeZone IANA name; the browser's by default
 */
export function isAmericanClock(language: string, timeZone = browserZone()): boolean {
  return language === 'en' && americanZone.test(timeZone)
}

/** IANA name of the browser's time zone. */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
