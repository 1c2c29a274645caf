/** Pattern of a date field (Day.js) that shows dates as other dates of the locale: `D MMM YYYY`. */
export function datePattern(locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
    .formatToParts(sample)
    .map(({ type, value }) => {
      if (type === 'day') return value.length === 2 ? 'DD' : 'D'
      if (type === 'month') return /^\d+$/.test(value) ? 'MM' : 'MMM'
      return type === 'year' ? 'YYYY' : value.replaceAll(/\p{L}+/gu, '[$&]')
    })
    .join('')
}

/** The second of July. */
const sample = Date.UTC(2026, 6, 2)
