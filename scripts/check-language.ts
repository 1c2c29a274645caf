import { globSync, readFileSync } from 'node:fs'
import { refusedWords } from './refused-words.ts'

/**
 * `npm run language`: reports each place in sources, texts and documents with a word of the glossary's last column.
 */
const refused = refusedWords(readFileSync('docs/ARCHITECTURE.md', 'utf8'))
const files = globSync(
  '{{apps,packages}/*/{src,stories},e2e,bench,scripts}/**/*.{ts,tsx,mjs,md,json}',
).concat(globSync('{docs/*.md,*.md,{apps,packages}/*/README.md}'))
const isGlossary = (file: string) =>
  /docs.ARCHITECTURE\.md$|refused-words\.test\.ts$|fixtures.|coverage\.md$/.test(file)

const found = files
  .filter(file => !isGlossary(file))
  .flatMap(file =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        refused
          .filter(({ pattern }) => pattern.test(line))
          .map(({ word, use }) => `${file}:${index + 1}: "${word}": use ${use}`),
      ),
  )

for (const line of found) console.error(line)
console.log(`${files.length} files, ${refused.length} words, ${found.length} places that use one`)
process.exitCode = found.length > 0 ? 1 : 0
