import type { Lang } from '../../shell/i18n/i18n.ts'
import { wordsDe } from './words.de.ts'
import { wordsEn } from './words.en.ts'
import { wordsEs } from './words.es.ts'
import type { DemoWords } from './demo-words.ts'

export function demoWords(lang: Lang): DemoWords {
  if (lang === 'de') return wordsDe
  if (lang === 'es') return wordsEs
  return wordsEn
}
