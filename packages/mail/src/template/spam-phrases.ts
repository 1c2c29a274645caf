/**
 * Phrases that spam filters weigh, in the languages of the console. Short on purpose: only what legitimate mail can do
 * without. English: rules of SpamAssassin 4.0 for subject and body with a score from 1 on (`20_phrases.cf`,
 * `20_drugs.cf`), and their like; the others say the same.
 */
const phrases: readonly RegExp[] = [
  // GUARANTEED_100_PERCENT, BANG_GUAR
  /100 ?% (?:guaranteed|garantiert|garantizad[oa])/i,
  /\bguaranteed!/i,
  // DEAR_FRIEND, DEAR_SOMETHING
  /\bdear (?:friend|sirs?|madam|investor)\b/i,
  /\b(?:sehr geehrter|lieber) freund\b/i,
  /\b(?:estimado|querido) amigo\b/i,
  // LOTTERY, UNCLAIMED_MONEY
  /\byou(?:'ve|’ve| have) won\b/i,
  /\bsie haben gewonnen\b/i,
  /\b(?:usted )?ha ganado (?:un|una|el|la)\b/i,
  /\bunclaimed (?:assets?|money|funds?|prizes?|rewards?)\b/i,
  // MONEY_BACK, ONE_TIME, FREE_QUOTE_INSTANT, SUBJ_AS_SEEN
  /\bmoney[ -]back guarantee\b/i,
  /\bone[ -]time (?:charge|investment|offer|promotion)\b/i,
  /\bas seen on (?:tv|television)\b/i,
  // URG_BIZ
  /\burgent (?:assistance|business|proposal|request|response)\b/i,
  // BAD_CREDIT
  /\b(?:bad credit|no credit check)\b/i,
  /\b(?:ohne schufa|schufafrei\w*)\b/i,
  /\bsin (?:buró de crédito|asnef)/i,
  // FIN_FREE
  /\b(?:financial freedom|finanzielle freiheit|libertad financiera)\b/i,
  /\b(?:easy money|schnelles geld|dinero fácil)\b/i,
  // DIET_1
  /\b(?:lose weight|burn fat|fett verbrennen|schnell abnehmen|perder peso|quemar grasa)\b/i,
  // DRUGS_ERECTILE, ONLINE_PHARMACY
  /\b(?:viagra|cialis|levitra|potenzmittel)\b/i,
  // REPLICA_WATCH
  /\breplica (?:watch(?:es)?|rolex)\b/i,
  // EXCUSE_REMOVE
  /\bto be removed from .{0,20}(?:mailings|offers)\b/i,
  /\b(?:this is not spam|dies ist kein spam|esto no es spam)\b/i,
]

/** Phrases named in one finding. */
const maxPhrases = 5

/** Characters of a text that are searched. */
const maxLength = 100_000

/** Returns the phrases of a text that filters weigh, as written, each kind once. */
export function findSpamPhrases(text: string): string[] {
  const plain = text.slice(0, maxLength).replaceAll(/\s+/g, ' ')
  return phrases.flatMap(phrase => phrase.exec(plain)?.[0] ?? []).slice(0, maxPhrases)
}

/** True for a subject of several words in capitals (SUBJ_ALL_CAPS). Placeholders do not count. */
export function isInCapitals(subject: string): boolean {
  const words = withoutLiquid(subject).match(/\p{L}{2,}/gu) ?? []
  return words.length > 2 && words.join('').length > 10 && words.every(word => word === word.toUpperCase())
}

/** Repeated marks of a subject, such as `!!`; null without. */
export function repeatedMarks(subject: string): string | null {
  return /[!?¡¿]{2,10}|[$€£]{2,10}/.exec(withoutLiquid(subject))?.[0] ?? null
}

function withoutLiquid(text: string): string {
  return text.replaceAll(/\{\{[^{}]*\}\}|\{%[^{}]*%\}/g, ' ')
}
