import { type listMissingTexts as listAction, missingLimits } from '@emma/contract/actions/translations.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import type { TextLanguage } from '@emma/contract/resources/translation.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { readTranslation, type ShippedTexts } from './translations.ts'
import { flatten } from './text-tree.ts'

type MissingText = Answer<typeof listAction>['data'][number]

export interface MissedTexts {
  language: TextLanguage
  namespace: string
  /** Key → the fallback that was shown. */
  texts: Readonly<Record<string, string>>
  isAnonymous: boolean
}

/**
 * Stores keys that a console found no text for (R296). Skips keys that have a text now, and languages marked as
 * optional. Bounded: beyond the limits new keys are dropped; known ones are still counted.
 */
export async function addMissingTexts(db: Db, shipped: ShippedTexts, missed: MissedTexts): Promise<void> {
  const { language, namespace, isAnonymous } = missed
  const { localisation, optional } = await readTranslation(db, shipped, language)
  if (optional) return
  const known = flatten(localisation)
  const missing = Object.entries(missed.texts).filter(([key]) => !isKnown(known, key))
  if (missing.length === 0) return
  const most = isAnonymous ? missingLimits.anonymous : missingLimits.all
  await sql`
    with missed as (
      select key, fallback, row_number() over () as place
      from unnest(${missing.map(([key]) => key)}::text[], ${missing.map(([, text]) => text)}::text[]) as m (key, fallback)
    ), kept as (
      select count(*) as number from missing_text where is_anonymous or not ${isAnonymous}
    )
    insert into missing_text (language, namespace, key, fallback, is_anonymous)
    select ${language}, ${namespace}, missed.key, missed.fallback, ${isAnonymous}
    from missed, kept
    where kept.number + missed.place <= ${most}
      or exists (
        select from missing_text as m
        where m.language = ${language} and m.namespace = ${namespace} and m.key = missed.key
      )
    on conflict (language, namespace, key) do update
    set seen = least(missing_text.seen + 1, 1000000), last_seen = now(), fallback = excluded.fallback`.execute(
    db,
  )
}

/** Whether a text exists, or a plural form of it. */
function isKnown(known: ReadonlyMap<string, unknown>, key: string): boolean {
  return known.has(key) || known.has(`${key}_other`)
}

/** Missing texts, latest first. */
export async function listMissingTexts(db: Db): Promise<MissingText[]> {
  return db
    .selectFrom('missing_text')
    .select(['language', 'namespace', 'key', 'fallback', 'seen', 'first_seen', 'last_seen'])
    .orderBy('last_seen', 'desc')
    .orderBy('key')
    .$narrowType<Pick<MissingText, 'language' | 'namespace'>>()
    .execute()
}

/** Deletes a key in all languages; without one, all keys. */
export async function forgetMissingTexts(db: Db, key: string | undefined): Promise<void> {
  const all = db.deleteFrom('missing_text')
  await (key === undefined ? all : all.where('key', '=', key)).execute()
}
