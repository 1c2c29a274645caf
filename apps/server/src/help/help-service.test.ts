import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listHelp } from '@emma/contract/actions/guidance.ts'
import { expect, test } from 'vitest'
import { createHelpService } from './help-service.ts'

const articles = join(import.meta.dirname, 'articles')
const help = createHelpService(articles, 'https://emma.example')
const list = (query: Record<string, string>) => help.list(listHelp.query.parse(query))

test('R304 every article exists in three languages, with a text and a screen', () => {
  const languages = ['en', 'de', 'es'] as const
  const [en, de, es] = languages.map(
    lang => list({ lang, per_page: '100', orderby: 'id', order: 'asc' }).posts,
  )
  expect(en?.length).toBeGreaterThanOrEqual(18)
  expect(de?.map(post => post.id)).toEqual(en?.map(post => post.id))
  expect(es?.map(post => post.id)).toEqual(en?.map(post => post.id))
  for (const post of [...(en ?? []), ...(de ?? []), ...(es ?? [])]) {
    expect(post.content.rendered.length).toBeGreaterThan(600)
    expect(post.screens.length).toBeGreaterThan(0)
    expect(post.link).toBe(`https://emma.example/help/${post.id}`)
  }
})

test('R304 no article is a copy of another language’s', () => {
  for (const post of list({ lang: 'en', per_page: '100' }).posts)
    for (const lang of ['de', 'es'] as const)
      expect(help.find(post.id, lang).excerpt.rendered).not.toBe(post.excerpt.rendered)
})

test('R304 links between articles lead to articles', () => {
  const { posts } = list({ per_page: '100' })
  const known = new Set(posts.map(({ id }) => id))
  const links = posts.flatMap(({ content }) => [...content.rendered.matchAll(/href="\/help\/(\d+)"/g)])
  expect(links.length).toBeGreaterThan(0)
  for (const [, id] of links) expect(known).toContain(Number(id))
})

test('R304 supports the page, order and search parameters of WordPress', () => {
  const all = list({ per_page: '100', orderby: 'id', order: 'asc' })
  const second = list({ per_page: '5', offset: '5', orderby: 'id', order: 'asc' })
  expect(second.posts).toEqual(all.posts.slice(5, 10))
  expect(second.total).toBe(all.total)
  expect(second.pages).toBe(Math.ceil(all.total / 5))
  expect(list({ per_page: '5', page: '2', orderby: 'id', order: 'asc' }).posts).toEqual(second.posts)
  const titles = list({ per_page: '100', orderby: 'title', order: 'asc' }).posts.map(post => post.slug)
  expect(list({ per_page: '100', orderby: 'title' }).posts.map(post => post.slug)).toEqual(
    titles.toReversed(),
  )
  const dates = list({ per_page: '100' }).posts.map(post => post.date)
  expect(dates).toEqual(dates.toSorted().toReversed())
  expect(list({ offset: '1000' }).posts).toEqual([])
})

test('R304 the search ignores case and accents, and ranks titles first', () => {
  expect(list({ search: 'DKIM', orderby: 'relevance' }).posts[0]?.slug).toBe('sending-domains')
  expect(list({ search: 'BOUNCES', orderby: 'relevance' }).posts[0]?.slug).toBe('bounces-and-complaints')
  expect(list({ search: 'offnungen', orderby: 'relevance', lang: 'de' }).posts[0]?.slug).toBe(
    'human-and-machine-opens',
  )
  expect(list({ search: 'no such words anywhere' })).toEqual({ posts: [], total: 0, pages: 0 })
  expect(() => list({ orderby: 'relevance' })).toThrow('relevance needs a search')
})

test('R304 an invalid page size or order is rejected', () => {
  for (const query of [
    { per_page: '0' },
    { per_page: '101' },
    { order: 'up' },
    { orderby: 'rand' },
    { offset: '-1' },
  ])
    expect({ query, success: listHelp.query.safeParse(query).success }).toEqual({ query, success: false })
})

test('R317 without articles the help is not available', () => {
  const folder = mkdtempSync(join(tmpdir(), 'emma-help-'))
  try {
    expect(() => createHelpService(folder, '').list(listHelp.query.parse({}))).toThrow(/^help not available$/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
