import type { HelpPost, HelpQuery } from '@emma/contract/actions/guidance.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { escapeHtml } from '../tracking/escape-html.ts'
import { type Article, type ArticleLanguage, readArticles } from './read-articles.ts'
import { plainText } from './render-markdown.ts'
import { fault } from '@emma/contract/faults.ts'

export interface HelpService {
  /** @throws EmmaError `bad_request` for an order by relevance without a search */
  list(query: HelpQuery): { posts: HelpPost[]; total: number; pages: number }
  /** @throws EmmaError `not_found` */
  find(id: number, lang: ArticleLanguage): HelpPost
}

interface Entry {
  post: HelpPost
  /** Case-folded for the search. */
  title: string
  text: string
}

/**
 * Serves help articles with the API of WordPress posts (R304): pages, orders and search, with sanitized HTML.
 * @param folder of the articles, read on first use
 * @param publicUrl of the console, for links
 * @throws EmmaError `not_found`, `help not available` (R317), if the articles cannot be read
 */
export function createHelpService(folder: string, publicUrl: string): HelpService {
  let known: Entry[] | null = null
  const entries = () => (known ??= readEntries(folder, publicUrl))
  return {
    list(query) {
      const { per_page, page, offset = (page - 1) * per_page, search, slug, lang } = query
      const words = fold(search).split(/\s+/).filter(Boolean)
      if (query.orderby === 'relevance' && words.length === 0)
        throw new EmmaError('bad_request', fault('refusal.help_relevance'))
      const found = entries().filter(
        ({ post, title, text }) =>
          post.lang === lang &&
          (slug === undefined || post.slug === slug) &&
          words.every(word => title.includes(word) || text.includes(word)),
      )
      const sorted = found.toSorted(comparison(query, words)).map(({ post }) => post)
      return {
        posts: sorted.slice(offset, offset + per_page),
        total: sorted.length,
        pages: Math.ceil(sorted.length / per_page),
      }
    },
    find(id, lang) {
      const found = entries().find(({ post }) => post.id === id && post.lang === lang)
      if (!found) throw new EmmaError('not_found')
      return found.post
    },
  }
}

function readEntries(folder: string, publicUrl: string): Entry[] {
  try {
    return readArticles(folder).map(article => {
      const post = toPost(article, publicUrl)
      return { post, title: fold(article.title), text: fold(plainText(article.html)) }
    })
  } catch {
    throw new EmmaError('not_found', fault('refusal.no_help'))
  }
}

function toPost({ id, slug, date, screens, lang, title, html }: Article, publicUrl: string): HelpPost {
  const first = /<p>[\s\S]*?<\/p>/.exec(html)?.[0] ?? ''
  return {
    id,
    date: `${date}T00:00:00`,
    modified: `${date}T00:00:00`,
    slug,
    status: 'publish',
    type: 'post',
    link: `${publicUrl}/help/${id}`,
    title: { rendered: escapeHtml(title) },
    content: { rendered: html, protected: false },
    excerpt: { rendered: `<p>${escapeHtml(plainText(first))}</p>`, protected: false },
    lang,
    screens: [...screens],
  }
}

function comparison({ orderby, order }: HelpQuery, words: readonly string[]): (a: Entry, b: Entry) => number {
  const direction = order === 'asc' ? 1 : -1
  switch (orderby) {
    case 'relevance':
      // Best match first, whatever the order parameter: like WordPress.
      return (a, b) => relevance(b, words) - relevance(a, words) || byId(a, b)
    case 'id':
      return (a, b) => direction * byId(a, b)
    case 'title':
      return (a, b) => direction * a.title.localeCompare(b.title) || byId(a, b)
    case 'slug':
      return (a, b) => direction * a.post.slug.localeCompare(b.post.slug)
    default:
      return (a, b) => direction * (a.post.date.localeCompare(b.post.date) || byId(a, b))
  }
}

function byId(a: Entry, b: Entry): number {
  return a.post.id - b.post.id
}

/** A word in the title weighs as much as ten in the text. */
function relevance({ title, text }: Entry, words: readonly string[]): number {
  const hits = words.map(word => (title.includes(word) ? 10 : 0) + Math.min(9, text.split(word).length - 1))
  return hits.reduce((sum, hit) => sum + hit, 0)
}

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
}
