/**
 * Locale of dates, times and numbers: the first one of the browser's languages that is the language of the console with
 * a region (`en-GB`), else the language alone.
 *
 * @param preferred BCP 47 tags, the most preferred first
 */
export function localeOf(language: string, preferred: readonly string[] = navigator.languages): string {
  const regional = preferred.find(tag => tag.toLowerCase().startsWith(`${language}-`))
  const [locale] = regional === undefined ? [] : Intl.getCanonicalLocales(regional)
  return locale ?? language
}
