import de from './texts/de.json' with { type: 'json' }
import en from './texts/en.json' with { type: 'json' }
import es from './texts/es.json' with { type: 'json' }

/** Texts of the public pages by language; `{email}`, `{client}` and `{host}` are filled in. */
export const pageTexts = { en, de, es }
