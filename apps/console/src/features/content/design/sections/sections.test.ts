import { compileContent } from '@emma/mail/template/compile-content.ts'
import type { FeedItem } from '@emma/mail/template/feed-items.ts'
import { parseTemplate } from '@emma/mail/edit/parse-template.ts'
import { stripHtml } from '@emma/mail/template/strip-html.ts'
import { brandValues } from '@emma/contract/client-brand.ts'
import { expect, test } from 'vitest'
import english from '../../texts/en.json' with { type: 'json' }
import { feedSectionNames, feedSectionSource } from './feed-sections.ts'
import { sectionLooks, type LookName } from './section-parts.ts'
import { sectionHtml } from './section-html.ts'
import { sectionNames, sectionSource } from './sections.ts'

const { sample: texts, sections } = english.content.design

const own = brandValues({
  name: 'Coffee & Co',
  brand_color: '#7c2d12',
  brand_font: 'georgia',
  brand_logo_url: 'https://f.test/logo.png',
  brand_socials: [{ network: 'instagram', url: 'https://instagram.com/coffee' }],
})
const unset = brandValues({ name: 'Coffee & Co' })

test('the library has at least 30 sections, each with a name', () => {
  expect(sectionNames.length).toBeGreaterThanOrEqual(30)
  for (const { name } of sectionNames) expect(sections).toHaveProperty(name)
})

const looks = Object.keys(sectionLooks).filter((look): look is LookName => look in sectionLooks)

test.each(sectionNames.flatMap(({ name }) => looks.map(look => [name, look] as const)))(
  'section %s, %s: compiles without findings, with the brand, no wider than the mail',
  async (name, look) => {
    const source = sectionSource(name, look, texts)
    const footer = sectionSource('footer', look, texts)
    const tree = parseTemplate(source, { format: 'mjml' })
    expect(tree.type === 'tree' && tree.roots.map(node => node.type === 'element' && node.name)).toEqual([
      'mj-section',
    ])
    for (const brand of [own, unset]) {
      const { html, warnings } = await compileContent({
        subject: 'Subject',
        preheader: '',
        html: '',
        mjml: `<mjml><mj-body>${source}${footer}</mj-body></mjml>`,
        text: '',
        modules: [],
        known: { member: [] },
        brand,
        trackingBase: 'https://t.test',
        isTracked: false,
      })
      expect(warnings).toEqual([])
      const mail = html.filter(piece => typeof piece === 'string').join('')
      expect(mail).not.toContain('{{')
      expect(mail).toContain(brand.font.split(',')[0])
      const widths = [...mail.matchAll(/(?<![-\w])width[:=]"?(\d+)px/g)].map(([, width]) => Number(width))
      expect(Math.max(...widths)).toBeLessThanOrEqual(600)
    }
  },
)

test.each(feedSectionNames)('section %s: shows the items of a feed, with tracked links', async name => {
  expect(sections).toHaveProperty(name)
  const source = feedSectionSource(name, 'news', 'light', texts)
  const tree = parseTemplate(source, { format: 'mjml' })
  expect(tree.type === 'tree' && tree.roots.map(node => node.type === 'element' && node.name)).toEqual([
    'mj-section',
  ])
  const item = { key: '1', summary: 'Sails & oars', image: 'https://n.test/1.png', date: '' }
  const compile = (items: FeedItem[]) =>
    compileContent({
      subject: 'Subject',
      preheader: '',
      html: '',
      mjml: `<mjml><mj-body>${source}${sectionSource('footer', 'light', texts)}</mj-body></mjml>`,
      text: '',
      modules: [{ name: 'news', type: 'feed', body: '', items }],
      known: { member: [], data: ['news'] },
      brand: own,
      trackingBase: 'https://t.test',
      isTracked: true,
    })
  const { html, links, warnings } = await compile([
    { ...item, title: 'A boat', link: 'https://n.test/1' },
    { ...item, key: '2', title: 'A ship', link: 'https://n.test/2' },
  ])
  expect(warnings).toEqual([])
  expect(links.map(({ url }) => url)).toEqual(
    expect.arrayContaining(['https://n.test/1', 'https://n.test/2']),
  )
  const mail = html.filter(piece => typeof piece === 'string').join('')
  expect(mail).toContain('A ship')
  expect(mail).not.toContain('{%')
  expect((await compile([])).html.join('')).not.toContain('n.test')
})

test.each(sectionNames.flatMap(({ name }) => looks.map(look => [name, look] as const)))(
  'section %s, %s, in HTML: the same words, links and images, without findings',
  async (name, look) => {
    const source = sectionSource(name, look, texts)
    const footer = sectionSource('footer', look, texts)
    const html = sectionHtml(source)
    const tree = parseTemplate(html, { format: 'html' })
    expect(tree.type === 'tree' && tree.roots.map(node => node.type === 'element' && node.name)).toEqual([
      'table',
    ])
    expect(html).not.toMatch(/<\/?mj-|undefined|NaN|: ;/)
    for (const brand of [own, unset]) {
      const compile = (parts: { html: string; mjml?: string }) =>
        compileContent({
          subject: 'Subject',
          preheader: '',
          text: '',
          modules: [],
          known: { member: [] },
          brand,
          trackingBase: 'https://t.test',
          isTracked: true,
          ...parts,
        })
      const ofMjml = await compile({
        html: '',
        mjml: `<mjml><mj-body>${source}${footer}</mj-body></mjml>`,
      })
      const ofHtml = await compile({ html: `<body>${html}${sectionHtml(footer)}</body>` })
      expect(ofHtml.warnings).toEqual(ofMjml.warnings)
      expect(ofHtml.links.map(({ url }) => url).toSorted()).toEqual(
        ofMjml.links.map(({ url }) => url).toSorted(),
      )
      const mails = [ofHtml, ofMjml].map(mail =>
        mail.html.filter(piece => typeof piece === 'string').join(''),
      )
      expect(mails[0]).not.toContain('{%')
      const [words, expected] = mails.map(mail => stripHtml(mail).replaceAll(/\s+/g, ' ').trim())
      expect(words).toBe(expected)
      const [images, expectedImages] = mails.map(mail => mail.match(/<img\b/g)?.length ?? 0)
      expect(images).toBe(expectedImages)
    }
  },
)
