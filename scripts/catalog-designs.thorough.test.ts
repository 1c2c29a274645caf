import { chromium, type Browser } from 'playwright-core'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyBrand, type DesignBrand } from '../apps/server/src/catalog/apply-brand.ts'
import { contrast } from '../apps/server/src/catalog/color.ts'
import { designs } from '../apps/server/src/catalog/designs.ts'
import {
  designImages,
  type LocalDesign,
  readDesigns,
  textsOf,
  translate,
} from '../apps/server/src/catalog/read-designs.ts'
import { renderTest, testSnapshot } from '../packages/delivery/src/test/sample-mail.ts'
import { compileContent } from '../packages/mail/src/template/compile-content.ts'
import { findMailFaults } from '../packages/mail/src/test/strict-mail.ts'
import { lookForChromium } from './find-programs.mjs'
import { hasSpamAssassin, spamScores } from '../packages/testbed/src/test/spam-score.ts'

/** The designs of the catalogue, as templates made from them are sent. */

const IMPRINT = 'Northwind Coffee GmbH, Speicherstraße 12, 20457 Hamburg'
const LANGUAGES = ['en', 'de', 'es'] as const
const brand: DesignBrand = {
  brand_color: '#7a1fa2',
  brand_text_color: '#202020',
  brand_background: '#fafafa',
  brand_button_color: '#ffe600',
  brand_button_text_color: '#ffffff',
  brand_font: 'verdana',
  brand_radius: 12,
  brand_logo_url: 'https://example.com/logo.png?a=1&b=2',
  brand_socials: [{ network: 'instagram', url: 'https://example.com/ig' }],
}

function sourceOf({ mjml, palette }: LocalDesign, own: DesignBrand = {}): string {
  return applyBrand(mjml, palette, own, '{{ module.imprint }}').replaceAll(
    /\{\{ image\.(\w+) \}\}/g,
    'https://t.sender.test/designs/$1.png',
  )
}

function render(design: LocalDesign, own?: DesignBrand) {
  const snapshot = testSnapshot({
    message: { subject: design.subject, preheader: design.preheader, mjml: sourceOf(design, own), html: '' },
    client: { name: 'Northwind Coffee' },
    sender: { name: 'Northwind Coffee' },
    modules: [{ name: 'imprint', type: 'text', body: { en: IMPRINT } }],
    columns: ['member_id', 'firstname'],
  })
  return renderTest(snapshot, { member_id: 1, firstname: 'Jörg' })
}

let browser: Browser

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: lookForChromium() })
})
afterAll(() => browser.close())

test('R128 there are designs in each of six categories and three collections', () => {
  expect(designs.length).toBeGreaterThanOrEqual(16)
  expect(new Set(designs.map(({ category }) => category)).size).toBe(6)
  expect(new Set(designs.map(({ collection }) => collection)).size).toBe(3)
  expect(new Set(designs.map(({ slug }) => slug)).size).toBe(designs.length)
})

describe.each(
  LANGUAGES.flatMap(lang => readDesigns(lang).map(design => ({ lang, design, title: design.slug }))),
)('R128 $title in $lang', ({ lang, design }) => {
  test.each([
    ['as shipped', {}],
    ['in the brand of a client', brand],
  ])('%s, compiles without findings', async (_, own) => {
    const mjml = sourceOf(design, own)
    expect(mjml).not.toMatch(/\{\{ (?:brand|image)\./)
    const { warnings, html } = await compileContent({
      subject: design.subject,
      preheader: design.preheader,
      html: '',
      mjml,
      text: '',
      modules: [{ name: 'imprint', type: 'text', body: { en: IMPRINT }, isMandatory: true }],
      known: { member: ['firstname'], client: ['name', 'imprint'] },
      trackingBase: 'https://t.sender.test',
      isTracked: true,
      language: lang,
    })
    expect(warnings).toEqual([])
    const bytes = html.reduce((sum, piece) => sum + Buffer.byteLength(String(piece)), 0)
    expect(bytes).toBeLessThan(102 * 1024)
  })

  test('is a valid message without equal links, with images that exist', async () => {
    const { raw } = await render(design)
    expect(findMailFaults(raw)).toEqual([])
    const { html = '' } = await PostalMime.parse(raw)
    const words = [...html.matchAll(/<a\s[^>]*>(.*?)<\/a>/gs)].map(([, content = '']) =>
      content.replaceAll(/<[^>]+>/g, '').trim(),
    )
    expect(words.toSorted()).toEqual([...new Set(words)].toSorted())
    for (const [, name = ''] of html.matchAll(/designs\/([\w.]+)"/g)) expect(designImages).toContain(name)
  })

  test.each(['light', 'dark'] as const)('fits a narrow screen and is readable in %s', async colorScheme => {
    const page = await browser.newPage({ viewport: { width: 360, height: 700 }, colorScheme })
    try {
      const { html = '' } = await PostalMime.parse((await render(design)).raw)
      await page.route('**/*', route => route.abort())
      await page.setContent(html)
      const { overflow, texts } = await page.evaluate(readTexts)
      expect(overflow).toBe(0)
      expect(texts.length).toBeGreaterThan(5)
      const unreadable = texts.filter(({ color, ground }) => contrast(color, ground) < 3)
      expect(unreadable).toEqual([])
    } finally {
      await page.close()
    }
  })
})

/** Visible texts with their color and the nearest background, in the browser. */
function readTexts() {
  const hex = (color: string) =>
    `#${(color.match(/\d+/g) ?? [])
      .slice(0, 3)
      .map(value => Number(value).toString(16).padStart(2, '0'))
      .join('')}`
  const texts: { text: string; color: string; ground: string }[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    const text = walker.currentNode.textContent?.trim() ?? ''
    if (!element || !/\w/.test(text) || element.closest('style')) continue
    const style = getComputedStyle(element)
    if (element.getBoundingClientRect().height < 4 || style.visibility === 'hidden') continue
    let ground: Element | null = element
    while (ground && /rgba\(0, 0, 0, 0\)|transparent/.test(getComputedStyle(ground).backgroundColor))
      ground = ground.parentElement
    const background = ground ? getComputedStyle(ground).backgroundColor : 'rgb(255, 255, 255)'
    texts.push({ text, color: hex(style.color), ground: hex(background) })
  }
  return { overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth), texts }
}

test.each(['de', 'es'] as const)('every text of the designs is translated to %s', lang => {
  const same = new Set([
    '15 euros',
    '20099 Hamburg',
    'Clara Lindqvist',
    'Dr. Lena Vogt',
    'København H',
    'Lindenstraße 18',
    'RIDE-15-NOV',
    'Tomás Rey',
    'VERSION 4.2',
    'Vase Olmo',
  ])
  const hasWords = (text: string) => /[a-z]{4}/i.test(text.replaceAll(/\{\{[^}]*\}\}|&\w+;/g, ''))
  const texts = readDesigns('en').flatMap(design => [
    design.title,
    design.description,
    design.subject,
    design.preheader,
    ...textsOf(design.mjml),
  ])
  const untranslated = texts.filter(
    text => hasWords(text) && !same.has(text) && translate(text, lang) === text,
  )
  expect(untranslated).toEqual([])
})

test('addresses of a brand cannot leave their attribute', () => {
  const [design] = readDesigns('en')
  if (!design) throw new Error('There are no designs.')
  const hostile = 'https://example.com/"><script>x</script>{{ member.email }}{% raw %}'
  const source = sourceOf(design, {
    brand_logo_url: hostile,
    brand_socials: [{ network: 'web', url: hostile }],
  })
  expect(source).toContain('example.com/')
  expect(source).not.toMatch(/<script|member\.email \}|\{% raw/)
})

test.skipIf(!hasSpamAssassin)(
  'SpamAssassin gives every design less than 1',
  { timeout: 120_000 },
  async () => {
    const all = readDesigns('en')
    const mails = await Promise.all(all.map(design => render(design)))
    const scores = spamScores(mails.map(({ raw }) => raw)).map((one, index) => ({
      ...one,
      name: all[index]?.slug,
    }))
    expect(scores.filter(({ score }) => score >= 1)).toEqual([])
  },
)
