import { EmmaError } from '@emma/contract/errors.ts'
import type { TextLanguage, TextTree, TranslationRecord } from '@emma/contract/resources/translation.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { publish } from '@emma/db/notify.ts'
import type { Actor } from '../resource/actor.ts'
import { difference, installation, logChange } from '../resource/log-change.ts'
import { flatten, type FlatTexts, unflatten } from './text-tree.ts'

/** Texts shipped with EMMA, by full key. Empty where no console is installed. */
export type ShippedTexts = (language: TextLanguage) => Promise<FlatTexts>

/** Current texts of a language: the shipped ones, overridden by edits. */
export async function readTranslation(
  db: Db,
  shipped: ShippedTexts,
  language: TextLanguage,
): Promise<TranslationRecord> {
  const row = await db
    .selectFrom('translation')
    .selectAll()
    .where('language', '=', language)
    .executeTakeFirst()
  if (!row) throw new EmmaError('not_found')
  const { edits, ...rest } = row
  const changed = readEdits(edits)
  const texts = new Map([...(await shipped(language)), ...changed])
  return { ...rest, language, localisation: unflatten(texts), edited: changed.map(([key]) => key) }
}

export function listTranslations(
  db: Db,
  shipped: ShippedTexts,
  languages: readonly TextLanguage[],
): Promise<TranslationRecord[]> {
  return Promise.all(languages.map(language => readTranslation(db, shipped, language)))
}

export interface TranslationChange {
  localisation?: TextTree | undefined
  label?: string | undefined
  optional?: boolean | undefined
}

/**
 * Stores texts that differ from the shipped ones, deletes reports of missing texts that exist now, and notifies every
 * console (R295).
 *
 * @param whole resets texts that `localisation` omits to the shipped ones; otherwise they stay unchanged
 * @param revision revision that the change is based on, null to skip the check
 * @throws EmmaError `not_found`, `faulty_revision`
 */
export async function changeTranslation(
  db: Db,
  actor: Actor,
  shipped: ShippedTexts,
  language: TextLanguage,
  { localisation, label, optional }: TranslationChange,
  { whole, revision }: { whole: boolean; revision: number | null },
): Promise<TranslationRecord> {
  const texts = await shipped(language)
  return transaction(db, async tx => {
    const before = await tx
      .selectFrom('translation')
      .select(['edits', 'revision', 'label', 'optional'])
      .where('language', '=', language)
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw new EmmaError('not_found')
    if (revision !== null && before.revision !== revision) throw new EmmaError('faulty_revision')
    const edits = new Map(whole ? [] : readEdits(before.edits))
    for (const [key, text] of flatten(localisation ?? {})) {
      if (text === null || text === '' || text === texts.get(key)) edits.delete(key)
      else edits.set(key, text)
    }
    await tx
      .updateTable('translation')
      .set(row => ({
        edits: JSON.stringify(Object.fromEntries(edits)),
        ...(label === undefined ? {} : { label }),
        ...(optional === undefined ? {} : { optional }),
        updated_at: new Date().toISOString(),
        updated_by: actor.userId,
        revision: row('revision', '+', 1),
      }))
      .where('language', '=', language)
      .execute()
    if (edits.size > 0)
      await tx
        .deleteFrom('missing_text')
        .where('language', '=', language)
        .where('key', 'in', [...edits.keys()])
        .execute()
    const was = {
      label: before.label,
      optional: before.optional,
      ...textsOf(language, readEdits(before.edits)),
    }
    const is = {
      label: label ?? before.label,
      optional: optional ?? before.optional,
      ...textsOf(language, edits),
    }
    await logChange(tx, actor, {
      clientId: installation,
      object: 'translation',
      id: 0,
      action: 'update',
      changes: difference(was, is, Object.keys({ ...was, ...is })),
    })
    await publish(tx, { client_id: null, type: 'TRANSLATIONS', data: { language } })
    return readTranslation(tx, shipped, language)
  })
}

/** Edited texts by their field name in the audit log: language and key. */
function textsOf(language: TextLanguage, edits: Iterable<[string, string]>): Record<string, string> {
  return Object.fromEntries([...edits].map(([key, text]) => [`${language}: ${key}`, text]))
}

function readEdits(edits: unknown): [string, string][] {
  if (typeof edits !== 'object' || edits === null) return []
  return Object.entries(edits).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
}
