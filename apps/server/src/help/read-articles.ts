import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { renderMarkdown } from './render-markdown.ts'

const languages = ['en', 'de', 'es'] as const
export type ArticleLanguage = (typeof languages)[number]

/** One article in one language, as sanitized HTML. */
export interface Article {
  id: number
  slug: string
  /** `YYYY-MM-DD` */
  date: string
  /** Console paths that the article is about, including those below them. */
  screens: readonly string[]
  lang: ArticleLanguage
  title: string
  html: string
}

const head = z.object({
  id: z.coerce.number().int().positive(),
  date: z.iso.date(),
  screens: z.string().transform(line => line.split(/\s+/).filter(path => path !== '')),
})

/**
 * Reads the articles of a folder: `{language}/{slug}.md`, each beginning with `# Title`. Language-independent fields
 * are in the front matter of the English one: `id`, `date` and `screens`.
 * @throws Error if a file is missing or has no front matter or title
 */
export function readArticles(folder: string): Article[] {
  const slugs = readdirSync(join(folder, 'en')).map(file => file.replace(/\.md$/, ''))
  return slugs.flatMap(slug => {
    const { head: shared } = readFile(folder, 'en', slug)
    const { id, date, screens } = head.parse(shared)
    return languages.map(lang => ({ id, slug, date, screens, lang, ...readBody(folder, lang, slug) }))
  })
}

function readBody(folder: string, lang: ArticleLanguage, slug: string): { title: string; html: string } {
  const { text } = readFile(folder, lang, slug)
  const [, title, body] = /^#\s+(.+)\n([\s\S]+)$/.exec(text.trim()) ?? []
  if (title === undefined || body === undefined)
    throw new Error(`${lang}/${slug}.md does not begin with a title`)
  return { title: title.trim(), html: renderMarkdown(body) }
}

function readFile(folder: string, lang: ArticleLanguage, slug: string) {
  const source = readFileSync(join(folder, lang, `${slug}.md`), 'utf8').replaceAll('\r\n', '\n')
  const [, lines, text] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? []
  if (lines === undefined || text === undefined) return { head: {}, text: source }
  const fields = lines.split('\n').map(line => {
    const [name = '', ...value] = line.split(':')
    return [name.trim(), value.join(':').trim()] as const
  })
  return { head: Object.fromEntries(fields), text }
}
