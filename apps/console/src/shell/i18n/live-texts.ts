import { tokenKey } from '@emma/client/token-key.ts'
import { createInstance, type i18n } from 'i18next'
import ChainedBackend from 'i18next-chained-backend'
import HttpBackend from 'i18next-http-backend'
import LocalStorageBackend from 'i18next-localstorage-backend'
import { apiHost } from '../session/api-host.ts'
import { featureNamespace } from '../../texts/feature-namespace.ts'
import type { Texts } from '../../texts/merge-texts.ts'
import { responseCache } from '../resource/response-cache.ts'

/** Where this browser keeps texts of the server, and for how long (R293). */
const textCache = { prefix: 'i18next_res_', lifetimeMs: 7 * 24 * 60 * 60 * 1000 } as const

/** A kept language is compared with the server's in the background once it is this old. */
const freshMs = 60 * 60 * 1000

const namespace = 'translation'

/** The texts as they are on the server, edits included: kept in this browser, else fetched, again after a 5xx (R299). */
const live = createInstance()
const http = new HttpBackend()

/**
 * Lays the server's texts over those the console came with. The console never waits for them: until they are here, or
 * when they cannot be had, its own texts show.
 *
 * @param shown the texts on the screen; they are followed when their language changes
 * @param version of this build: texts kept by another one are fetched anew
 */
export async function followLiveTexts(shown: i18n, version: string): Promise<void> {
  live.on('initialized', () => live.store.on('added', (language: string) => overlay(shown, language)))
  shown.store.on('added', (language: string) => overlay(shown, language))
  shown.on('languageChanged', language => {
    latest = latest.then(() => live.changeLanguage(language))
  })
  // Another tab has dropped its texts, and with them ours.
  addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(textCache.prefix) && newValue === null) void askAgain()
  })
  const started = live.use(ChainedBackend).init({
    lng: shown.resolvedLanguage ?? 'en',
    fallbackLng: false,
    load: 'languageOnly',
    ns: namespace,
    backend: {
      backends: [LocalStorageBackend, http],
      backendOptions: [
        { prefix: textCache.prefix, expirationTime: textCache.lifetimeMs, defaultVersion: version },
        {
          loadPath: `${apiHost()}/{{ns}}/{{lng}}`,
          addPath: `${apiHost()}/locales/add/{{lng}}/{{ns}}`,
          parse: localisationOf,
          customHeaders: bearer,
        },
      ],
      cacheHitMode: 'refreshAndUpdateStore',
      refreshExpirationTime: freshMs,
      retryOnFailure: true,
    },
  })
  latest = started
  await started
  // What came while it started was told before anybody could listen.
  for (const language of live.languages) overlay(shown, language)
}

/** What was asked for last. */
let latest: Promise<unknown> = Promise.resolve()
let isWaiting = false

/**
 * Asks the server anew, after what is on its way: that may be the texts of before the edit, and i18next takes no second
 * question as long as one is open.
 */
async function askAgain(): Promise<void> {
  if (!isWaiting) {
    isWaiting = true
    latest = latest.then(() => {
      isWaiting = false
      return live.isInitialized ? live.reloadResources() : undefined
    })
  }
  await latest
}

/** After an edit: what is kept of the old texts goes, here and in every tab, and the new ones come (R295, T14). */
export async function reloadTexts(): Promise<void> {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(textCache.prefix)) localStorage.removeItem(key)
  await responseCache.evict([namespace])
  await askAgain()
}

const reported = new Set<string>()

/** Tells the server of a text that this console lacks, once (R296). */
export function reportMissing(languages: readonly string[], key: string, shownInstead: string): void {
  if (!live.isInitialized || reported.has(key)) return
  reported.add(key)
  http.create?.([...languages], namespace, key, shownInstead)
}

let isOverlaying = false

/** Each text goes into the namespace that the console has it in: a namespace is asked in all languages before the next. */
function overlay(shown: i18n, language: string): void {
  const texts: unknown = live.getResourceBundle(language, namespace)
  if (isOverlaying || !isTree(texts)) return
  isOverlaying = true
  const first: unknown = shown.getResourceBundle(language, namespace)
  const isFirst = (key: string) => isTree(first) && key in first
  const groups = Object.groupBy(Object.entries(texts), ([key]) =>
    isFirst(key) ? namespace : featureNamespace,
  )
  for (const [group, entries] of Object.entries(groups))
    if (shown.hasResourceBundle(language, group))
      shown.addResourceBundle(language, group, Object.fromEntries(entries), true, true)
  isOverlaying = false
}

/** Of `{language, localisation, label, optional}`. @throws SyntaxError, told as `failed parsing … to json` */
function localisationOf(body: string): Texts {
  const record: unknown = JSON.parse(body)
  const texts = isTree(record) ? record['localisation'] : undefined
  if (!isTree(texts)) throw new SyntaxError('There are no texts in the answer')
  return texts
}

function bearer(): Record<string, string> {
  const token = localStorage.getItem(tokenKey)
  return token === null ? {} : { authorization: `Bearer ${token}` }
}

function isTree(value: unknown): value is Texts {
  return typeof value === 'object' && value !== null
}
