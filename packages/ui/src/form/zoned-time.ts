/**
 * Instants as a clock on the wall of a time zone shows them, and back. Texts are `YYYY-MM-DD HH:mm:ss`, as date
 * inputs keep them; instants are ISO 8601 in UTC, as the API has them.
 */
export function toZoneText(instant: string, timeZone: string | undefined): string | null {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return null
  const part = partsOf(date, timeZone)
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')}`
}

/** In the hour that a clock skips in spring the time moves on; in the hour it repeats in autumn the first counts. */
export function fromZoneText(text: string, timeZone: string | undefined): string | null {
  const asUtc = Date.parse(`${text.replace(' ', 'T')}Z`)
  if (Number.isNaN(asUtc)) return null
  // The offset an hour around the guess may differ from the one at it: near a change the earlier instant wins.
  const guesses = [
    asUtc - offsetAt(asUtc - dayLength, timeZone),
    asUtc - offsetAt(asUtc + dayLength, timeZone),
  ]
  const fitting = guesses.filter(guess => guess + offsetAt(guess, timeZone) === asUtc)
  return new Date(fitting.length > 0 ? Math.min(...fitting) : Math.max(...guesses)).toISOString()
}

const dayLength = 86_400_000

/** How far the zone's clock is ahead of UTC at an instant, in ms. */
function offsetAt(instant: number, timeZone: string | undefined): number {
  const date = new Date(instant - (instant % 1000))
  const part = partsOf(date, timeZone)
  const shown = Date.parse(
    `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}Z`,
  )
  return shown - date.getTime()
}

function partsOf(date: Date, timeZone: string | undefined): (type: Intl.DateTimeFormatPartTypes) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    ...(timeZone === undefined ? {} : { timeZone }),
  })
  const parts = format.formatToParts(date)
  return type => (parts.find(part => part.type === type)?.value ?? '').padStart(type === 'year' ? 4 : 2, '0')
}
