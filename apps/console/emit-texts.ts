import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { de } from '@emma/ui/words.de.ts'
import { en } from '@emma/ui/words.en.ts'
import { es } from '@emma/ui/words.es.ts'
import type { Plugin } from 'vite'
import { merged, type Texts } from './src/texts/merged.ts'

const kitWords: Record<string, Record<string, string>> = { en, de, es }

/**
 * Leaves each language's texts whole in `texts/{language}.json` beside the build: the server lays what superadmins
 * edited over them (R293), and lists them for translators.
 */
export function emitTexts(): Plugin {
  return {
    name: 'emit-texts',
    apply: 'build',
    async generateBundle() {
      for (const [language, words] of Object.entries(kitWords)) {
        const source = JSON.stringify({ ...(await readTexts(language)), kit: nested(words) })
        this.emitFile({ type: 'asset', fileName: `texts/${language}.json`, source })
      }
    },
  }
}

/** `{ 'list.search': … }` as the tree that texts are kept in. */
function nested(words: Record<string, string>): Texts {
  const tree: Texts = {}
  for (const [key, word] of Object.entries(words)) {
    const path = key.split('.')
    const name = path.pop() ?? key
    let branch = tree
    for (const part of path) {
      const next = branch[part] ?? {}
      if (typeof next === 'string') throw new Error(`The kit's word "${part}" is in the way of "${key}"`)
      branch = branch[part] = next
    }
    branch[name] = word
  }
  return tree
}

/** All texts of a language, of the shell and of every feature. */
export async function readTexts(language: string): Promise<Texts> {
  const files = globSync([`src/shell/i18n/${language}.ts`, `src/features/*/${language}.ts`], {
    cwd: import.meta.dirname,
  }).toSorted()
  const loaded = await Promise.all(
    files.map(async file => {
      const module: Record<string, unknown> = await import(
        pathToFileURL(join(import.meta.dirname, file)).href
      )
      return [file, module[language]] as const
    }),
  )
  return merged(Object.fromEntries(loaded))
}
