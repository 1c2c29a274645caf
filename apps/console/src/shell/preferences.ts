import { saveUserSettings } from '@emma/contract/actions/account.ts'
import { changeLanguage } from 'i18next'
import { api } from './api.ts'
import { asLang } from './i18n.ts'
import { sessionStore } from './session-store.ts'

export type ColorScheme = 'light' | 'dark' | 'auto'

/** What a person chose for the console, kept on the server as `custom` (R142) so that it follows them. */
export interface Preferences {
  language?: string
  color_scheme?: ColorScheme
}

/** Keeps a choice for the next browser too; before the login there is nowhere to keep it but here. */
export async function savePreference(change: Preferences): Promise<void> {
  const { claims, custom } = sessionStore.get()
  if (!claims) return
  const next = { ...custom, ...change }
  await api.call(saveUserSettings, { params: { id: claims.sub.id }, body: { custom: next } })
  sessionStore.update({ custom: next })
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
