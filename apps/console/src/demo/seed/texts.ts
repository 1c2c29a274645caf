import type { Lang } from '../../shell/i18n/i18n.ts'
import { textsDe } from './texts.de.ts'
import { textsEn } from './texts.en.ts'
import { textsEs } from './texts.es.ts'
import type { DemoTexts } from './demo-texts.ts'

export function demoTexts(lang: Lang): DemoTexts {
  if (lang === 'de') return textsDe
  if (lang === 'es') return textsEs
  return textsEn
}
