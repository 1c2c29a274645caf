/** Zones whose people read 1:30 PM and begin the week on Sunday, when they read English. */
const americanZone = /^(?:America|US)\/|^Pacific\/Honolulu$/

/**
 * Clock and week of a language and a time zone: 12 hours and Sunday in American English, 24 hours and Monday elsewhere.
 *
 * @param timeZone IANA name; the browser's own when left out
 */
export function isAmericanClock(language: string, timeZone = browserZone()): boolean {
  return language === 'en' && americanZone.test(timeZone)
}

/** IANA name of the zone that this browser is in. */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
