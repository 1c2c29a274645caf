import { localeOf } from '@emma/ui/locale.ts'
import { retryImport } from '@emma/ui/retry-import.ts'
import i18next, { type BackendModule, hasLoadedNamespace } from 'i18next'
import LanguageDetector from 'i18next-browser-languagedetector'
import { initReactI18next } from 'react-i18next'
import { featureNamespace } from '../../texts/feature-namespace.ts'
import type { Texts } from '../../texts/merge-texts.ts'

/** The languages of the console (R007). */
export const languages = [
  { iso: 'en-US', lang: 'en', title: 'English' },
  { iso: 'de-DE', lang: 'de', title: 'Deutsch' },
  { iso: 'es-ES', lang: 'es', title: 'Español' },
] as const

export type Lang = (typeof languages)[number]['lang']

/** i18next backend of the bundled texts: the initial ones, and those of the features loaded so far. */
const bundledTexts: BackendModule = {
  type: 'backend',
  init: () => {},
  read(language, namespace, answer) {
    const load = namespace === featureNamespace ? loadFeatureTexts : loadInitialTexts
    retryImport(() => load(asLang(language))).then(
      texts => answer(null, texts),
      (error: unknown) => answer(error instanceof Error ? error : String(error), false),
    )
  },
  create(missedIn, _namespace, key, shownInstead) {
    // A text with a default value is not missing, nor is any before the features' texts are loaded.
    if (shownInstead === key && hasLoadedNamespace(featureNamespace))
      void import('./live-texts.ts').then(({ reportMissing }) => reportMissing(missedIn, key, shownInstead))
  },
}

async function loadInitialTexts(language: Lang): Promise<Texts> {
  if (language === 'de') return (await import('../../texts/initial.de.ts')).texts
  if (language === 'es') return (await import('../../texts/initial.es.ts')).texts
  return (await import('../../texts/initial.en.ts')).texts
}

async function loadFeatureTexts(language: Lang): Promise<Texts> {
  const { readFetchedTexts } = await import('../../texts/feature-texts.ts')
  return readFetchedTexts(language)
}

/**
 * Overlays the bundled texts with the server's, which superadmins edit (R293). `import.meta.url` is the version: it
 * contains a hash that changes with the texts of the build.
 */
export async function fetchLiveTexts(): Promise<void> {
  const { followLiveTexts } = await import('./live-texts.ts')
  await followLiveTexts(i18next, import.meta.url)
}

/**
 * Starts i18next. The language is detected in `?lng`, cookie, local storage, session storage, browser, document (R297);
 * the detector drops codes that look like script. Unsupported languages fall back to English.
 */
export async function startTranslations(): Promise<void> {
  i18next.on('languageChanged', language => {
    document.documentElement.lang = language
  })
  await i18next
    .use(LanguageDetector)
    .use(bundledTexts)
    .use(initReactI18next)
    .init({
      supportedLngs: languages.map(({ lang }) => lang),
      fallbackLng: 'en',
      fallbackNS: featureNamespace,
      load: 'languageOnly',
      detection: {
        order: ['querystring', 'cookie', 'localStorage', 'sessionStorage', 'navigator', 'htmlTag'],
        lookupQuerystring: 'lng',
        lookupLocalStorage: 'i18nextLng',
        caches: ['localStorage'],
        convertDetectedLanguage: asLang,
      },
      // React escapes values.
      interpolation: { escapeValue: false },
      react: { useSuspense: false, bindI18nStore: 'added' },
      saveMissing: true,
      saveMissingTo: 'current',
    })
  i18next.services.formatter?.addCached('number', (language, options) => {
    const numbers = new Intl.NumberFormat(localeOf(language ?? 'en'), options)
    return (value: number) => numbers.format(value)
  })
}

export function asLang(code: string | undefined): Lang {
  const base = code?.split('-')[0]?.toLowerCase()
  return languages.find(({ lang }) => lang === base)?.lang ?? 'en'
}
