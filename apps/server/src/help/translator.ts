import { z } from 'zod'
import type { ShippedTexts } from '@emma/core/translations/translations.ts'
import type { ArticleLanguage } from './read-articles.ts'
import { guardedFetch } from '../provider/guarded-fetch.ts'
import { glossary } from './glossary.ts'
import { type TextPairs, type Translation, translateText } from './translate-text.ts'

export interface Wanted {
  source: ArticleLanguage
  target: ArticleLanguage
  text: string
}

/** The operator's service may have a private address. */
const fetchService = guardedFetch('private', { timeout: 10_000 })

/**
 * Translates texts (R303): by a LibreTranslate-compatible service if configured and available, otherwise by the
 * console's texts in both languages and a glossary.
 */
export function createTranslator(
  texts: ShippedTexts,
  service: { translateUrl: string | undefined; translateKey: string | undefined },
): (wanted: Wanted) => Promise<Translation> {
  return async wanted => {
    const { source, target, text } = wanted
    if (source === target || text.trim() === '') return { translatedText: text, origin: 'none' }
    const own = translateText(text, await pairsOf(texts, source, target))
    if (own.origin === 'memory' || service.translateUrl === undefined) return own
    const answer = await askService(service.translateUrl, service.translateKey, wanted)
    return answer === null ? own : { translatedText: answer, origin: 'service' }
  }
}

/** The glossary comes last, so that it takes precedence. */
async function pairsOf(
  texts: ShippedTexts,
  source: Wanted['source'],
  target: Wanted['target'],
): Promise<TextPairs> {
  const [from, to] = await Promise.all([texts(source), texts(target)])
  const said = [...from].flatMap(([key, text]) => {
    const other = to.get(key)
    // Texts with placeholders cannot be reused.
    return other === undefined || text.includes('{{') ? [] : [[text, other] as const]
  })
  return [...said, ...glossary.map(term => [term[source], term[target]] as const)]
}

const reply = z.object({ translatedText: z.string().min(1).max(50_000) })

/** Null if the service is unavailable, slow or returns something else; then the memory is used. */
async function askService(
  url: string,
  key: string | undefined,
  { source, target, text }: Wanted,
): Promise<string | null> {
  try {
    const response = await fetchService(`${url}/translate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ q: text, source, target, format: 'text', ...(key && { api_key: key }) }),
    })
    if (!response.ok) return null
    return reply.parse(await response.json()).translatedText
  } catch {
    return null
  }
}
