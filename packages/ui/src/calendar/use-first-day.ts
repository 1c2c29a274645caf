import { useLanguage } from '../words.tsx'
import type { FirstDay } from './calendar-days.ts'

/** Weeks begin on Sunday in English, on Monday elsewhere. */
export function useFirstDay(): FirstDay {
  return useLanguage() === 'en' ? 0 : 1
}
