import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { merged, type Texts } from './src/texts/merged.ts'

const languages = ['en', 'de', 'es']

/**
 * Leaves each language's texts whole in `texts/{language}.json` beside the build: the server lays what superadmins
 * edited over them (R293), and lists them for translators.
 */
export function emitTexts(): Plugin {
  return {
    name: 'emit-texts',
    apply: 'build',
    async generateBundle() {
      for (const language of languages) {
        const source = JSON.stringify(await readTexts(language))
        this.emitFile({ type: 'asset', fileName: `texts/${language}.json`, source })
      }
    },
  }
}

/** All texts of a language, of the shell and of every feature. */
export async function readTexts(language: string): Promise<Texts> {
  const files = globSync([`src/shell/${language}.ts`, `src/features/*/${language}.ts`], {
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
