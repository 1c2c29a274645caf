import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { mergeTexts, type Texts } from './src/texts/merge-texts.ts'

/**
 * Emits `texts/{language}.json` with all texts of each language: the server merges the texts edited by superadmins into
 * them (R293) and lists them for translators.
 */
export function emitTexts(): Plugin {
  return {
    name: 'emit-texts',
    apply: 'build',
    generateBundle() {
      for (const language of ['en', 'de', 'es']) {
        const source = JSON.stringify(readTexts(language))
        this.emitFile({ type: 'asset', fileName: `texts/${language}.json`, source })
      }
    },
  }
}

/** All texts of a language: of the shell, every feature, the contract and the UI kit. */
export function readTexts(language: string): Texts {
  const files = globSync(
    [
      `src/shell/i18n/texts/${language}.json`,
      `src/features/*/texts/${language}.json`,
      `../../packages/contract/src/texts/${language}.json`,
      `../../packages/ui/src/texts/${language}.json`,
    ],
    { cwd: import.meta.dirname },
  ).toSorted()
  return mergeTexts(
    Object.fromEntries(
      files.map(file => [file, JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'))]),
    ),
  )
}
