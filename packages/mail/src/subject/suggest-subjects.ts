import { INBOX_LIMITS } from '../template/inbox-limits.ts'
import type { Highlights } from './read-highlights.ts'

export type SubjectLanguage = 'en' | 'de' | 'es'
export type SubjectTone = 'neutral' | 'friendly' | 'urgent'

export interface SubjectText {
  subject: string
  preheader: string
}

export interface SubjectSuggestion extends SubjectText {
  /** 0 to 100. */
  score: number
}

interface Request {
  lang: SubjectLanguage
  tone: SubjectTone
  count: number
}

/** `{h}` the main headline, `{k}` a frequent word that it lacks. */
const frames: Record<SubjectLanguage, Record<SubjectTone, readonly string[]>> = {
  en: {
    neutral: ['New: {h}', '{k}: {h}'],
    friendly: ['For you: {h}', 'Have you seen this? {h}'],
    urgent: ['Last chance: {h}', 'Ending soon: {h}'],
  },
  de: {
    neutral: ['Neu: {h}', '{k}: {h}'],
    friendly: ['Für Sie: {h}', 'Schon gesehen? {h}'],
    urgent: ['Letzte Chance: {h}', 'Nur noch kurz: {h}'],
  },
  es: {
    neutral: ['Novedad: {h}', '{k}: {h}'],
    friendly: ['Para usted: {h}', '¿Ya lo ha visto? {h}'],
    urgent: ['Última oportunidad: {h}', 'Termina pronto: {h}'],
  },
}

const stopWords: Record<SubjectLanguage, string> = {
  en: 'about after again all also and any are because been before being between both but can could did does down each few for from had has have having her here hers him his how into its just more most much new not now off once one only other our out over own same she should some such than that the their them then there these they this those through too under until very was were what when where which while who whom why will with would you your',
  de: 'aber alle allem allen aller alles als also andere anderen auch auf aus bei beim bin bis bist dabei damit dann das dass dein dem den der des dich die dies diese diesem diesen dieser dieses dir doch dort durch ein eine einem einen einer eines euch für hat hatte hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer immer ist jede jeder jetzt kann kein keine können mehr mein mich mir mit nach nicht noch nun nur oder ohne sehr sein seine sich sie sind über und uns unser unsere unseren vom von vor war warum was weil weiter wenn werden wie wieder wir wird wurde zum zur zwischen',
  es: 'algo algunas algunos ante antes aquí así aunque cada como con cual cuando del desde donde dos durante ella ellas ellos entre era eran esa esas ese eso esos esta estaba estado están estar estas este esto estos fue fueron gran hace han has hasta hay las los más menos mientras muy nada nos nosotros nuestra nuestras nuestro nuestros otra otro para pero poco por porque que quien ser será sin sobre son sus también tan tanto tener tiene todo todos tras una unas uno unos usted ustedes vez',
}

const offer = /(?<![\p{L}\d])(?:\d{1,3}(?:[.,]\d{1,2})?\s?(?:%|€|£|\$)|[€£$]\s?\d{1,5}(?:[.,]\d{2})?)(?!\d)/u

const deadlines: Record<SubjectLanguage, RegExp> = {
  en: /\buntil\s(?:\p{Lu}\p{L}{2,10}(?:\s\d{1,2}(?!\d))?|\d{1,2}\s\p{Lu}\p{L}{2,10})/u,
  de: /\bbis\s(?:zum\s)?(?:\d{1,2}\.(?:\s?\p{Lu}\p{L}{2,10}|\s?\d{1,2}\.)|(?:Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag))/u,
  es: /\bhasta\sel\s(?:\d{1,2}\sde\s\p{L}{4,10}|(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo))/u,
}

/**
 * Suggests subjects with preheaders from a mail's own words, the best first: its headlines, offers, deadlines, buttons
 * and first sentences.
 *
 * @param written suggestions from elsewhere, which come first
 */
export function suggestSubjects(
  { headlines, sentences, buttons }: Highlights,
  { lang, tone, count }: Request,
  written: readonly SubjectText[] = [],
): SubjectSuggestion[] {
  const [first = sentences[0], second] = headlines
  if (first === undefined) return []
  const words = frequentWords([...headlines, ...sentences], lang)
  const texts = [...headlines, ...sentences]
  const found = (pattern: RegExp) =>
    texts.map(text => pattern.exec(text)?.[0]).find(match => match !== undefined && !first.includes(match))
  const value = found(offer)
  const until = found(deadlines[lang])
  const keyword = words.find(word => !first.toLowerCase().includes(word.toLowerCase()))
  const framed = frames[lang][tone]
    .filter(frame => keyword !== undefined || !frame.includes('{k}'))
    .map(frame => frame.replace('{h}', first).replace('{k}', keyword ?? ''))
  const candidates = [
    ...headlines.slice(0, 4),
    ...(second === undefined ? [] : [`${first} – ${second}`]),
    ...(value === undefined ? [] : [`${value}: ${first}`]),
    ...(until === undefined ? [] : [`${first} – ${until}`]),
    ...buttons.slice(0, 1).map(button => `${first} – ${button}`),
    ...framed,
    ...sentences.slice(0, 2).map(sentence => sentence.replace(/\.$/, '')),
  ]
  const own = [...new Set(candidates)]
    .filter(subject => subject.length <= 90)
    .map(subject => ({
      subject,
      preheader: preheaderOf(subject, [...sentences, ...headlines, ...buttons]),
      score: scoreOf(subject, { words, isFramed: tone !== 'neutral' && framed.includes(subject) }),
    }))
    .toSorted((a, b) => b.score - a.score)
  const given = written.map(one => ({ ...one, score: scoreOf(one.subject, { words, isFramed: true }) }))
  return [...given, ...own].slice(0, count)
}

/** The first text that the subject does not repeat, cut between words. */
function preheaderOf(subject: string, texts: readonly string[]): string {
  const bare = subject.toLowerCase()
  const text = texts.find(one => !bare.includes(one.toLowerCase().replace(/\.$/, ''))) ?? ''
  if (text.length <= INBOX_LIMITS.preheader) return text
  return `${text.slice(0, INBOX_LIMITS.preheader - 1).replace(/\s\S*$/u, '')}…`
}

/** Words of the mail by frequency, as they are written first. */
function frequentWords(texts: readonly string[], lang: SubjectLanguage): string[] {
  const ignored = new Set(stopWords[lang].split(' '))
  const counts = new Map<string, { word: string; count: number }>()
  for (const word of texts.flatMap(text => text.match(/\p{L}{4,24}/gu) ?? [])) {
    const key = word.toLowerCase()
    if (ignored.has(key)) continue
    const known = counts.get(key)
    if (known) known.count += 1
    else counts.set(key, { word, count: 1 })
  }
  return [...counts.values()]
    .filter(({ count }) => count > 1)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, 8)
    .map(({ word }) => word)
}

/** Good subjects are shown whole on phones, name what the mail is about, and do not shout. */
function scoreOf(subject: string, mail: { words: readonly string[]; isFramed: boolean }): number {
  const { length } = subject
  const lower = subject.toLowerCase()
  const named = mail.words.filter(word => lower.includes(word.toLowerCase())).length
  const shouted = subject.match(/\p{Lu}{4,}/gu)?.length ?? 0
  const score =
    75 -
    Math.max(0, 18 - length) * 2 -
    Math.max(0, length - INBOX_LIMITS.phone) / 2 -
    Math.max(0, length - INBOX_LIMITS.desktop) * 2 +
    Math.min(named, 3) * 5 +
    (/\d/.test(subject) ? 5 : 0) +
    (mail.isFramed ? 15 : 0) -
    shouted * 10 -
    ((subject.match(/!/g)?.length ?? 0) > 1 ? 15 : 0)
  return Math.round(Math.min(100, Math.max(0, score)))
}
