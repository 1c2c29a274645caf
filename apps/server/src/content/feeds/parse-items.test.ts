import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseItems } from './parse-items.ts'

const base = 'https://news.test/feed'
const rss = (items: string) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${items}</channel></rss>`

test('items of RSS, Atom and JSON feeds have plain texts and absolute addresses', () => {
  const one = rss(
    `<item><title>A &amp; B</title><link>/1</link><guid>g1</guid>
    <description><![CDATA[<p>Hi <b>you</b></p>]]></description><pubDate>Tue, 10 Jun 2025 04:00:00 GMT</pubDate>
    <enclosure url="https://news.test/i.jpg" type="image/jpeg" length="1"/></item>`,
  )
  const item = {
    title: 'A & B',
    link: 'https://news.test/1',
    summary: 'Hi you',
    image: 'https://news.test/i.jpg',
    date: '2025-06-10T04:00:00.000Z',
  }
  expect(parseItems(one, base)).toMatchObject([item])
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><entry><id>g1</id>
    <title type="html">A &amp;amp; B</title><link href="/1"/><updated>2025-06-10T04:00:00Z</updated>
    <link rel="enclosure" type="image/jpeg" href="/i.jpg"/><summary>Hi you</summary></entry></feed>`
  expect(parseItems(atom, base)).toMatchObject([item])
  const json = {
    version: 'https://jsonfeed.org/version/1.1',
    title: 'x',
    items: [
      {
        id: 'g1',
        url: '/1',
        title: 'A & B',
        content_html: '<p>Hi <b>you</b>',
        image: '/i.jpg',
        date_published: '2025-06-10T04:00:00Z',
      },
    ],
  }
  const keys = [one, atom, JSON.stringify(json)].map(source => parseItems(source, base)?.[0]?.key)
  expect(parseItems(JSON.stringify(json), base)).toMatchObject([item])
  expect(new Set(keys).size).toBe(1)
})

test('the same item is taken once, and addresses of programs are left out', () => {
  const item = '<item><guid>1</guid><title>A</title><link>javascript:alert(1)</link></item>'
  expect(parseItems(rss(item + item), base)).toMatchObject([{ title: 'A', link: '' }])
})

test.each([
  ['a login page', '<html><form><input type="password"></form></html>'],
  ['nothing', ''],
  ['other JSON', '{"items":[]}'],
  [
    'entities that expand',
    `<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${rss('<item><title>&b;</title></item>')}`,
  ],
  ['markup without end', `<rss version="2.0"><channel><item><title>${'<a>'.repeat(100_000)}`],
])('%s is no feed', (_, source) => {
  expect(parseItems(source, base)).toBeNull()
})

test('texts and numbers of items are bounded', () => {
  const long = `<item><title>${'x '.repeat(50_000)}</title><description>${'&lt;div&gt;'.repeat(5_000)}</description></item>`
  const [first] = parseItems(rss(long), base) ?? []
  expect(first?.title.length).toBeLessThanOrEqual(301)
  const many = Array.from({ length: 5_000 }, (_, n) => `<item><title>T${n}</title></item>`).join('')
  expect(parseItems(rss(many), base)).toHaveLength(100)
})

test('any text in an item is read without failing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (title, url) => {
      const json = {
        version: 'https://jsonfeed.org/version/1.1',
        title: 'x',
        items: [{ id: '1', title, url }],
      }
      const items = parseItems(JSON.stringify(json), base) ?? []
      for (const { title: text, link } of items) {
        expect(text.isWellFormed()).toBe(true)
        expect(text).not.toContain('\u0000')
        expect(link === '' || /^https?:/.test(link)).toBe(true)
      }
    }),
    { numRuns: 200 },
  )
})
