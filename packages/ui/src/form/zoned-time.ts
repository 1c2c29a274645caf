/**
 * Converts an instant to local time in a time zone. Texts are `YYYY-MM-DD HH:mm:ss`, the format of date inputs;
 * instants are ISO 8601 in UTC, the format of the API.
 */
export function toZoneText(instant: string, timeZone: string | undefined): string | null {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return null
  const part = partsOf(date, timeZone)
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')}`
}

/**
 * Converts local time to an instant. Times in the hour skipped in spring move forward; in the hour repeated in autumn,
 * the first occurrence is used.
 */
export function fromZoneText(text: string, timeZone: string | undefined): string | null {
  const asUtc = Date.parse(`${text.replace(' ', 'T')}Z`)
  if (Number.isNaN(asUtc)) return null
  // The offset before and after a DST change differs: if both fit, the earlier instant is used.
  const guesses = [
    asUtc - offsetAt(asUtc - dayLength, timeZone),
    asUtc - offsetAt(asUtc + dayLength, timeZone),
  ]
  const fitting = guesses.filter(guess => guess + offsetAt(guess, timeZone) === asUtc)
  return new Date(fitting.length > 0 ? Math.min(...fitting) : Math.max(...guesses)).toISOString()
}

const dayLength = 86_400_000

/** Offset of the time zone from UTC at an instant, in ms. */
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
