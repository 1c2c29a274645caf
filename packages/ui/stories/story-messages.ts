import { flattenMessages } from '../src/i18n.tsx'
import de from '../src/texts/de.json' with { type: 'json' }
import en from '../src/texts/en.json' with { type: 'json' }
import es from '../src/texts/es.json' with { type: 'json' }

export const storyMessages = {
  en: flattenMessages(en.kit),
  de: flattenMessages(de.kit),
  es: flattenMessages(es.kit),
}
