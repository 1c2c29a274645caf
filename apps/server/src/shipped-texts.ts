import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { TextLanguage } from '@emma/contract/resources/translation.ts'
import { flatten, type FlatTexts } from '@emma/core/translations/text-tree.ts'
import type { ShippedTexts } from '@emma/core/translations/translations.ts'

/**
 * Reads the texts that the console's build writes to `texts/{language}.json`, again after a new build.
 * @param folder absolute path of the built console; without one there are no shipped texts
 */
export function shippedTexts(folder: string): ShippedTexts {
  const kept = new Map<TextLanguage, { changedAt: number; texts: FlatTexts }>()
  return async language => {
    const file = join(folder, 'texts', `${language}.json`)
    const changedAt = await stat(file).then(
      found => found.mtimeMs,
      () => null,
    )
    if (changedAt === null) return new Map()
    const known = kept.get(language)
    if (known?.changedAt === changedAt) return known.texts
    const flat = flatten(JSON.parse(await readFile(file, 'utf8')))
    const texts = new Map([...flat].filter((entry): entry is [string, string] => entry[1] !== null))
    kept.set(language, { changedAt, texts })
    return texts
  }
}
