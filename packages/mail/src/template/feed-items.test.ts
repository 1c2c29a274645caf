import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FeedItem, sampleItem, writeItems } from './feed-items.ts'
import { expandModules } from './modules.ts'
import { parsePart } from './parse-part.ts'

const item: FeedItem = {
  key: '1',
  title: 'Boats & <b>sails</b>',
  link: 'https://news.test/1?a=1&b=2',
  summary: 'New',
  image: '',
  date: '2025-06-10T04:00:00.000Z',
}

test('the template is written once for each item, with escaped values', () => {
  const template =
    '<a href="{{ item.link }}">{{ item.title }}</a>{% if item.image != "" %}<img src="{{ item.image }}">{% endif %} {{ item.date | date: "%d.%m.%Y" }} {{ member.city }}|'
  const written = writeItems(template, [item, { ...item, title: 'Two' }], 'en')
  expect(written).toContain('Boats &amp; &lt;b&gt;sails&lt;/b&gt;</a> 10.06.2025 {{ member.city }}|')
  expect(written).toContain('>Two</a>')
  expect(written).not.toContain('<img')
})

test('a value never becomes Liquid or markup', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (title, summary) => {
      const hostile = { ...item, title: `{{${title}{%`, summary: `{${summary}` }
      const written = writeItems('<p>{{ item.title }}{{ item.summary }}</p>', [hostile], 'en')
      expect(written.slice(3, -4)).not.toMatch(/[{}<>]/)
    }),
  )
  expect(writeItems('{{ item.title | raw }}', [item], 'en')).toBe('{{ item.title | raw }}')
})

test('a placeholder of kind feed shows its items in HTML and in text', () => {
  const show = (part: 'html' | 'text', items: FeedItem[]) => {
    const source = '{{ module.news }}'
    const parsed = parsePart(part, source)
    if (!('pieces' in parsed)) throw parsed[0]
    return expandModules(part, source, parsed, [{ name: 'news', type: 'feed', body: '', items }], 'en').text
  }
  expect(show('html', [item])).toContain('<a href="https://news.test/1?a=1&amp;b=2">')
  expect(show('text', [item])).toContain('https://news.test/1?a=1&b=2')
  expect(show('html', [])).toBe('')
  expect(writeItems('', [sampleItem], 'en')).not.toContain('item.')
})
