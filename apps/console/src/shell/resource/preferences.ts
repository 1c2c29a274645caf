import { listUserSettings, saveUserSettings } from '@emma/contract/actions/account.ts'
import { changeLanguage } from 'i18next'
import { z } from 'zod'
import { api } from '../session/api.ts'
import { asLang } from '../i18n/i18n.ts'
import { sessionStore } from '../session/session-store.ts'

export type ColorScheme = 'light' | 'dark' | 'auto'

/** What a person chose for the console, kept on the server as `custom` (R142) so that it follows them. */
export interface Preferences {
  language?: string
  color_scheme?: ColorScheme
  /** Single-key shortcuts. */
  shortcuts?: boolean
  /** Columns and saved views of lists, by their keys. */
  [choice: string]: unknown
}

/** Choices of the person rather than of their work for a client: they come along to another one. */
const personal = ['language', 'color_scheme', 'shortcuts']

let saving: Promise<unknown> = Promise.resolve()

/** Keeps a choice for the next browser too; before the login there is nowhere to keep it but here. */
export async function savePreference(change: Preferences): Promise<void> {
  const { claims, custom } = sessionStore.get()
  if (!claims) return
  sessionStore.update({ custom: { ...custom, ...change } })
  // One after the other: each reads what is there, so that another tab's choices stay.
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

/** The personal choices made for one client, where the one just gone over to has none of its own. */
export async function bringPreferences(before: Preferences): Promise<void> {
  const { custom } = sessionStore.get()
  const missing = personal.filter(name => before[name] !== undefined && custom[name] === undefined)
  if (missing.length > 0) await savePreference(Object.fromEntries(missing.map(name => [name, before[name]])))
}

/** Takes over what the person chose elsewhere: once, at the login. Later choices in this browser win. */
export async function applyPreferences(setColorScheme: (scheme: ColorScheme) => void): Promise<void> {
  const { custom } = sessionStore.get()
  if (isColorScheme(custom['color_scheme'])) setColorScheme(custom['color_scheme'])
  const { language } = custom
  if (typeof language === 'string') await changeLanguage(asLang(language))
}

export function isColorScheme(value: unknown): value is ColorScheme {
  return value === 'light' || value === 'dark' || value === 'auto'
}
