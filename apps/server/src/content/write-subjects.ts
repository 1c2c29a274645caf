import type { SubjectText } from '@emma/mail/subject/suggest-subjects.ts'
import type { Highlights } from '@emma/mail/subject/read-highlights.ts'
import { readSettingSecret, readSystemSettings } from '@emma/core/platform/system-settings.ts'
import { z } from 'zod'
import type { Http } from '../http/http.ts'
import { guardedFetch } from '../provider/guarded-fetch.ts'

const limits = { timeout: 15_000, most: 200_000 }
const fetchService = {
  public: guardedFetch('public', limits),
  private: guardedFetch('private', limits),
}

/** Characters of the mail that the service gets. */
const SENT = 4_000

const reply = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().max(50_000) }) })).min(1),
})
const line = z.string().transform(text => text.replaceAll(/\s+/g, ' ').trim())
const written = z.array(z.object({ subject: line, preheader: line.default('') })).max(50)

const languages = { en: 'English', de: 'German', es: 'Spanish' } as const

/**
 * Asks the OpenAI-compatible service of the settings for subjects. It gets the mail's headlines, sentences and button
 * texts without placeholders, and no data of members. Nothing is asked without settings; an unavailable service, or an
 * unusable reply, is logged and gives none.
 */
export async function writeSubjects(
  { db, config, logger }: Pick<Http, 'db' | 'config' | 'logger'>,
  { headlines, sentences, buttons }: Highlights,
  { lang, tone, count }: { lang: keyof typeof languages; tone: string; count: number },
): Promise<SubjectText[]> {
  const { writing } = await readSystemSettings(db)
  if (!writing.is_enabled || writing.url === null || writing.model === null) return []
  const text = [...headlines, ...sentences, ...buttons].join('\n').slice(0, SENT)
  if (text === '') return []
  const key = await readSettingSecret(db, config.deriveKey('secrets at rest'), 'writing')
  const request =
    `Write ${count} subject lines of at most 50 characters, each with a preheader of at most 90, in ` +
    `${languages[lang]}, in a ${tone} tone, for the marketing email below. Claim nothing that it does not say. ` +
    'Reply with a JSON array only: [{"subject": "…", "preheader": "…"}].'
  try {
    const ask = fetchService[config.allowPrivateWriting ? 'private' : 'public']
    const answer = await ask(`${writing.url.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({
        model: writing.model,
        messages: [
          { role: 'system', content: request },
          { role: 'user', content: text },
        ],
      }),
    })
    if (!answer.ok) throw new Error(`The writing service answered ${answer.status}`)
    const { choices } = reply.parse(await answer.json())
    return subjectsOf(choices[0]?.message.content ?? '').slice(0, count)
  } catch (error) {
    logger.warn({ err: error }, 'No subjects from the writing service')
    return []
  }
}

/** The array in a reply, which may have text around it. Placeholders would be executed, so such lines are left out. */
function subjectsOf(content: string): SubjectText[] {
  const array = content.slice(content.indexOf('['), content.lastIndexOf(']') + 1)
  return written
    .parse(JSON.parse(array))
    .filter(({ subject }) => subject !== '' && subject.length <= 150)
    .map(({ subject, preheader }) => ({ subject, preheader: preheader.slice(0, 200) }))
    .filter(one => !/\{[{%]/.test(one.subject + one.preheader))
}
