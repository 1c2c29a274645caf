import { listUserSettings, saveUserSettings } from '@emma/contract/actions/account.ts'
import { changeLanguage } from 'i18next'
import { z } from 'zod'
import { api } from '../session/api.ts'
import { asLang } from '../i18n/i18n.ts'
import { sessionStore } from '../session/session-store.ts'

export type ColorScheme = 'light' | 'dark' | 'auto'

/** The user's preferences, stored on the server in `custom` (R142). */
export interface Preferences {
  language?: string
  color_scheme?: ColorScheme
  /** Whether single-key shortcuts are on. */
  shortcuts?: boolean
  /** Columns and saved views of lists, by key. */
  [choice: string]: unknown
}

/** Preferences of the user rather than of their work for one client: copied when the client is switched. */
const personal = ['language', 'color_scheme', 'shortcuts']

let saving: Promise<unknown> = Promise.resolve()

/** Saves a preference on the server; does nothing before login. */
export async function savePreference(change: Preferences): Promise<void> {
  const { claims, custom } = sessionStore.get()
  if (!claims) return
  sessionStore.update({ custom: { ...custom, ...change } })
  // Saves run one after the other: each reads the stored value first, to keep changes of other tabs.
  const saved = saving.then(() => send(claims.sub.id, change))
  saving = saved.catch(() => {})
  await saved
}

async function send(id: number, change: Preferences): Promise<void> {
  const { data } = await api.call(listUserSettings, { params: { id }, ignoreCache: true })
  const custom = keptValues.parse({ ...data[0]?.custom, ...change })
  await api.call(saveUserSettings, { params: { id }, body: { custom } })
}

const keptValues = z.record(z.string(), z.json())

/** Copies personal preferences to the new client's settings, unless they are set there. */
export async function bringPreferences(before: Preferences): Promise<void> {
  const { custom } = sessionStore.get()
  const missing = personal.filter(name => before[name] !== undefined && custom[name] === undefined)
  if (missing.length > 0) await savePreference(Object.fromEntries(missing.map(name => [name, before[name]])))
}

/** Applies the stored theme and language once, at login. Later changes in this browser win. */
export async function applyPreferences(setColorScheme: (scheme: ColorScheme) => void): Promise<void> {
  const { custom } = sessionStore.get()
  if (isColorScheme(custom['color_scheme'])) setColorScheme(custom['color_scheme'])
  const { language } = custom
  if (typeof language === 'string') await changeLanguage(asLang(language))
}

export function isColorScheme(value: unknown): value is ColorScheme {
  return value === 'light' || value === 'dark' || value === 'auto'
}
