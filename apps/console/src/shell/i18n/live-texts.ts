import { tokenKey } from '@emma/client/token-key.ts'
import { createInstance, type i18n } from 'i18next'
import ChainedBackend from 'i18next-chained-backend'
import HttpBackend from 'i18next-http-backend'
import LocalStorageBackend from 'i18next-localstorage-backend'
import { apiHost } from '../session/api-host.ts'
import { featureNamespace } from '../../texts/feature-namespace.ts'
import type { Texts } from '../../texts/merge-texts.ts'
import { responseCache } from '../resource/response-cache.ts'

/** Local storage cache of the server's texts (R293). */
const textCache = { prefix: 'i18next_res_', lifetimeMs: 7 * 24 * 60 * 60 * 1000 } as const

/** Cached texts older than this are revalidated in the background. */
const freshMs = 60 * 60 * 1000

const namespace = 'translation'

/**
 * i18next instance of the server's texts, edits included: cached in the browser, else fetched; retried after a 5xx
 * (R299).
 */
const live = createInstance()
const http = new HttpBackend()

/**
 * Overlays the bundled texts with the server's. The console never waits for them: its own texts show until they arrive,
 * or if the request fails.
 *
 * @param shown the i18next instance of the screen; its language changes are followed
 * @param version of this build; texts cached by another version are fetched again
 */
export async function followLiveTexts(shown: i18n, version: string): Promise<void> {
  live.on('initialized', () => live.store.on('added', (language: string) => overlay(shown, language)))
  shown.store.on('added', (language: string) => overlay(shown, language))
  shown.on('languageChanged', language => {
    latest = latest.then(() => live.changeLanguage(language))
  })
  // Another tab has dropped the cached texts, which this tab shares.
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
  // Texts added during `init` fired their events before the listener was attached.
  for (const language of live.languages) overlay(shown, language)
}

/** The last pending request. */
let latest: Promise<unknown> = Promise.resolve()
let isWaiting = false

/**
 * Requests the texts again after the pending request, whose response may predate the edit; i18next ignores reloads
 * while one is pending.
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

/** After an edit: drops the cached texts, here and in every tab, and fetches the new ones (R295, T14). */
export async function reloadTexts(): Promise<void> {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(textCache.prefix)) localStorage.removeItem(key)
  await responseCache.evict([namespace])
  await askAgain()
}

const reported = new Set<string>()

/** Reports a missing text to the server, once per key (R296). */
export function reportMissing(languages: readonly string[], key: string, shownInstead: string): void {
  if (!live.isInitialized || reported.has(key)) return
  reported.add(key)
  http.create?.([...languages], namespace, key, shownInstead)
}

let isOverlaying = false

/**
 * Adds each text to the namespace that the console has it in: i18next looks up one namespace in all languages before
 * the next.
 */
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

/**
 * Texts of the response `{language, localisation, label, optional}`. @throws SyntaxError, reported as `failed parsing …
 * to json`
 */
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
