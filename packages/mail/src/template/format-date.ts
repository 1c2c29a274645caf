/** Language and time zone of dates, numbers and money in a mail. */
export interface Locale {
  /** BCP 47, e.g. `de` or `en-GB`. */
  language: string
  /** IANA name, e.g. `Europe/Berlin`. Dates without a time are never shifted. */
  timeZone: string
}

/**
 * Formats a date by strftime letters: `%d.%m.%Y`, `%-d. %B %Y`, `%H:%M`. Accepts dates, ISO strings (UTC without an
 * offset), Unix seconds, `now` and `today`. Without a format, uses the language's short form. Other values are
 * returned unchanged, so that a typo in the data stays visible.
 */
export function formatDate(value: unknown, format: unknown, locale: Locale): unknown {
  const parsed = parseMoment(value)
  if (!parsed) return value
  const local = parsed.dateOnly ? parsed.date : inTimeZone(parsed.date, locale.timeZone)
  const pattern = typeof format === 'string' && format !== '' ? format : shortFormat(locale.language)
  return strftime(
    { local, instant: parsed.date, zone: zoneOf(parsed, locale.timeZone) },
    pattern.slice(0, 200),
    locale.language,
  )
}

/** A wall-clock time, in the UTC fields of `local`. */
interface Clock {
  local: Date
  instant: Date
  /** UTC for dates without a time, which are never shifted. */
  zone: string
}

function zoneOf({ dateOnly }: Moment, timeZone: string): string {
  return dateOnly ? 'UTC' : timeZone
}

interface Moment {
  date: Date
  dateOnly: boolean
}

function parseMoment(value: unknown): Moment | null {
  if (value instanceof Date) return moment(value.getTime(), false)
  if (typeof value === 'number') return moment(value * 1000, false)
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (text === 'now' || text === 'today') return moment(Date.now(), false)
  if (/^-?\d{9,11}$/.test(text)) return moment(Number(text) * 1000, false)
  const match =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/.exec(
      text,
    )
  if (!match) return null
  const [, year, month, day, hour, minute, second, zone] = match
  const time = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
  )
  return moment(time - zoneMinutes(zone) * 60_000, hour === undefined)
}

function moment(time: number, dateOnly: boolean): Moment | null {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? null : { date, dateOnly }
}

function zoneMinutes(zone: string | undefined): number {
  if (!zone || zone === 'Z') return 0
  const digits = zone.replaceAll(/\D/g, '').padEnd(4, '0')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return zone.startsWith('-') ? -minutes : minutes
}

/** Returns the wall clock of a time zone as UTC fields of a date, for getUTC…. */
function inTimeZone(date: Date, timeZone: string): Date {
  if (timeZone === 'UTC') return date
  const fields = new Map(
    clock(timeZone)
      .formatToParts(date)
      .map(part => [part.type, Number(part.value)]),
  )
  const field = (type: Intl.DateTimeFormatPartTypes) => fields.get(type) ?? 0
  return new Date(
    Date.UTC(
      field('year'),
      field('month') - 1,
      field('day'),
      field('hour'),
      field('minute'),
      field('second'),
    ),
  )
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function clock(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US-u-hc-h23', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  clocks.set(timeZone, made)
  return made
}

function shortFormat(language: string): string {
  const base = language.slice(0, 2)
  if (base === 'de') return '%d.%m.%Y'
  if (base === 'es') return '%d/%m/%Y'
  return '%B %-d, %Y'
}

function strftime(clock: Clock, format: string, language: string): string {
  return format.replaceAll(
    /%([-_0^#:]?)(\d{0,2})([a-zA-Z%])/g,
    (whole, flag: string, width: string, letter: string) => {
      const numeric = numbers[letter]
      if (numeric) return pad(numeric.of(clock.local), Number(width) || numeric.width, flag, numeric.pad)
      const text = texts(letter, clock, flag, language)
      if (text === null) return whole
      const cased = flag === '^' || flag === '#' ? text.toLocaleUpperCase(language) : text
      return cased.padStart(Number(width), ' ')
    },
  )
}

const numbers: Record<string, { of: (date: Date) => number; width: number; pad: string }> = {
  Y: { of: date => date.getUTCFullYear(), width: 4, pad: '0' },
  y: { of: date => date.getUTCFullYear() % 100, width: 2, pad: '0' },
  m: { of: date => date.getUTCMonth() + 1, width: 2, pad: '0' },
  d: { of: date => date.getUTCDate(), width: 2, pad: '0' },
  e: { of: date => date.getUTCDate(), width: 2, pad: ' ' },
  j: { of: dayOfYear, width: 3, pad: '0' },
  H: { of: date => date.getUTCHours(), width: 2, pad: '0' },
  k: { of: date => date.getUTCHours(), width: 2, pad: ' ' },
  I: { of: date => date.getUTCHours() % 12 || 12, width: 2, pad: '0' },
  l: { of: date => date.getUTCHours() % 12 || 12, width: 2, pad: ' ' },
  M: { of: date => date.getUTCMinutes(), width: 2, pad: '0' },
  S: { of: date => date.getUTCSeconds(), width: 2, pad: '0' },
  u: { of: date => date.getUTCDay() || 7, width: 1, pad: '0' },
  w: { of: date => date.getUTCDay(), width: 1, pad: '0' },
  V: { of: isoWeek, width: 2, pad: '0' },
  G: { of: isoYear, width: 4, pad: '0' },
  g: { of: date => isoYear(date) % 100, width: 2, pad: '0' },
  U: { of: date => weekOfYear(date, 0), width: 2, pad: '0' },
  W: { of: date => weekOfYear(date, 1), width: 2, pad: '0' },
  C: { of: date => Math.floor(date.getUTCFullYear() / 100), width: 2, pad: '0' },
  L: { of: date => date.getUTCMilliseconds(), width: 3, pad: '0' },
}

function texts(letter: string, clock: Clock, flag: string, language: string): string | null {
  const { local, instant } = clock
  switch (letter) {
    case 'z':
      return offsetText(local.getTime() - instant.getTime(), flag === ':' ? ':' : '', clock.zone)
    case 'Z':
      return zoneName(instant, clock.zone)
    case 'n':
      return '\n'
    case 't':
      return '\t'
    case 'c':
      return strftime(clock, '%a %b %e %H:%M:%S %Y', language)
    case 'X':
      return strftime(clock, '%H:%M:%S', language)
    case 'r':
      return strftime(clock, '%I:%M:%S %p', language)
    case 'B':
      return names(language, { month: 'long' }).format(local)
    case 'b':
    case 'h':
      return names(language, { month: 'short' }).format(local)
    case 'A':
      return names(language, { weekday: 'long' }).format(local)
    case 'a':
      return names(language, { weekday: 'short' }).format(local)
    case 'p':
      return local.getUTCHours() < 12 ? 'AM' : 'PM'
    case 'P':
      return local.getUTCHours() < 12 ? 'am' : 'pm'
    case 's':
      return String(Math.floor(instant.getTime() / 1000))
    case 'F':
      return strftime(clock, '%Y-%m-%d', language)
    case 'T':
      return strftime(clock, '%H:%M:%S', language)
    case 'R':
      return strftime(clock, '%H:%M', language)
    case 'D':
      return strftime(clock, '%m/%d/%y', language)
    case 'x':
      return strftime(clock, shortFormat(language), language)
    case '%':
      return '%'
    default:
      return null
  }
}

function pad(value: number, width: number, flag: string, padding: string): string {
  if (flag === '-') return String(value)
  if (flag === '_') return String(value).padStart(width, ' ')
  return String(value).padStart(width, flag === '0' ? '0' : padding)
}

const nameFormats = new Map<string, Intl.DateTimeFormat>()

function names(language: string, style: Intl.DateTimeFormatOptions, timeZone = 'UTC'): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${JSON.stringify(style)}`
  const known = nameFormats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(language, { ...style, timeZone })
  nameFormats.set(key, made)
  return made
}

const dayMilliseconds = 86_400_000

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / dayMilliseconds) + 1
}

/** Week number with weeks that begin on Sunday (0) or Monday (1); days before the first one are week 0. */
function weekOfYear(date: Date, firstDay: 0 | 1): number {
  const weekday = (date.getUTCDay() - firstDay + 7) % 7
  return Math.floor((dayOfYear(date) + 6 - weekday) / 7)
}

function isoYear(date: Date): number {
  return new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * dayMilliseconds).getUTCFullYear()
}

/** `+0200` of milliseconds east of UTC. Wall clocks have no fractions of a second. */
function offsetText(milliseconds: number, separator: string, zone: string): string {
  const minutes = zone === 'UTC' ? 0 : Math.round(milliseconds / 60_000)
  const digits = (value: number) => String(value).padStart(2, '0')
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}${separator}${digits(size % 60)}`
}

/** `UTC`, `CET`, or `GMT+2` if a zone has no short name in English. */
function zoneName(instant: Date, timeZone: string): string {
  const parts = names('en', { timeZoneName: 'short' }, timeZone).formatToParts(instant)
  return parts.find(part => part.type === 'timeZoneName')?.value ?? timeZone
}

function isoWeek(date: Date): number {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * dayMilliseconds)
  return Math.ceil(dayOfYear(thursday) / 7)
}
