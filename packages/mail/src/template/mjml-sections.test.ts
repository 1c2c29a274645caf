import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, test } from 'vitest'
import { markTemplate } from '../edit/mark-template.ts'
import { parseTemplate } from '../edit/parse-template.ts'
import { applyPatch } from '../edit/patch.ts'
import type { TemplateTree } from '../edit/template-tree.ts'
import { numberIds } from '../test/compile-both.ts'
import { randomEdit, seededRandom } from '../test/random-edit.ts'
import { mjmlToHtml } from './mjml.ts'
import { runMjmlSections } from './mjml-sections.ts'
import { parsePart } from './parse-part.ts'
import { createSectionCache, type SectionCache } from './section-cache.ts'

/** Templates with every form that must survive, the designs of the catalogue, and real ones where these are available. */
const templates = [
  '../../fixtures/edit/',
  '../../../../apps/server/src/catalog/designs/',
  '../../../../../shared/data/templates/',
]
  .map(path => fileURLToPath(new URL(path, import.meta.url)))
  .filter(existsSync)
  .flatMap(folder => globSync(`${folder}*.mjml`).toSorted())
  .map(path => ({ name: basename(path), source: readFileSync(path, 'utf8') }))

function treeOf(source: string): TemplateTree {
  const tree = parseTemplate(source, { format: 'mjml' })
  if (tree.type === 'code') throw new Error(tree.reason.message)
  return tree
}

async function convert(source: string, sections?: SectionCache): Promise<string> {
  const parsed = parsePart('html', source)
  if (!('pieces' in parsed)) return 'faults in Liquid'
  const { html, ...findings } = await mjmlToHtml(source, parsed, sections)
  return numberIds(html) + JSON.stringify(findings)
}

/** A cache that counts the sections that MJML rendered. */
function countingCache(): SectionCache & { rendered: number } {
  const cache = createSectionCache()
  return {
    rendered: 0,
    get: key => cache.get(key),
    set(key, section) {
      this.rendered++
      cache.set(key, section)
    },
  }
}

describe('edits of real templates', () => {
  const sections = createSectionCache()
  const editsEach = Math.ceil((process.env['CI'] === undefined ? 300 : 1_000) / templates.length)

  test.each(templates)(
    '$name is converted as without the cache, with and without marks',
    async ({ name, source }) => {
      const random = seededRandom(name.length)
      let tree = treeOf(source)
      for (let round = 0; round < editsEach; round++) {
        const edit = randomEdit(tree, random)
        // Random edits can remove all components.
        const changed = edit && parseTemplate(applyPatch(tree.source, edit.patches), { format: 'mjml' })
        tree = changed?.type === 'tree' ? changed : treeOf(source)
        const compiled = round % 2 === 0 ? tree.source : markTemplate(tree).source
        const isSame = (await convert(compiled, sections)) === (await convert(compiled))
        expect(isSame, `edit ${round}: ${edit?.name}`).toBe(true)
      }
    },
  )
})

const section = (text: string, attributes = '') =>
  `<mj-section${attributes}><mj-column><mj-text>${text}</mj-text></mj-column></mj-section>`
const mail = (body: string, head = '') => `<mjml><mj-head>${head}</mj-head><mj-body>${body}</mj-body></mjml>`

describe('section cache', () => {
  it('renders only the section that changed, also if all marks and placeholders after it change', async () => {
    const sections = countingCache()
    const body = Array.from({ length: 9 }, (_, n) => section(`{{ member.firstname }} ${n}`)).join('\n')
    await convert(markTemplate(treeOf(mail(body))).source, sections)
    expect(sections.rendered).toBe(9)
    await convert(markTemplate(treeOf(mail(section('{{ member.city }}') + body))).source, sections)
    // The new first section, and the one that is no longer the first.
    expect(sections.rendered).toBe(11)
  })

  it('renders sections anew if the head or the body changes', async () => {
    const sections = countingCache()
    for (const head of ['', '<mj-attributes><mj-text color="red"/></mj-attributes>'])
      expect(await convert(mail(section('a') + section('b'), head), sections)).toContain('b</div>')
    expect(sections.rendered).toBe(4)
    await convert(mail(section('a')).replace('<mj-body>', '<mj-body width="500px">'), sections)
    expect(sections.rendered).toBe(5)
  })

  it.each([
    [
      'fonts',
      section('a') +
        section('b', ' css-class="x"') +
        '<mj-section><mj-column><mj-button font-family="Lato, Arial">c</mj-button></mj-column></mj-section>',
    ],
    [
      'a font that a text outside of quotes names',
      `${section('a')}<mj-raw><p>font-family: Roboto</p></mj-raw>${section('Roboto')}`,
    ],
    ['font-family in a text', section('font-family: Ubuntu') + section('Ubuntu, font-family: Roboto')],
    [
      'conditional comments around sections',
      `<mj-raw><!--[if mso]></mj-raw>${section('a')}  ${section('b')}<mj-raw><![endif]--></mj-raw>`,
    ],
    ['a conditional comment without an end', section('<!--[if mso]> <b> x </b>') + section('b <i> y </i>')],
    [
      'comments and components between sections',
      `<!-- a -->${section('a')}<!-- b -->\n<mj-raw><p>x</p></mj-raw>${section('b')}`,
    ],
    [
      'media queries and rules of the head',
      section('a') +
        '<mj-section><mj-column width="30%"><mj-image src="a.png"/></mj-column><mj-column width="70%"><mj-accordion><mj-accordion-element><mj-accordion-title>t</mj-accordion-title></mj-accordion-element></mj-accordion></mj-column></mj-section>',
    ],
    [
      'wrappers and heroes',
      `<mj-wrapper padding="0">${section('a')}${section('b')}</mj-wrapper><mj-hero><mj-text>h</mj-text></mj-hero>`,
    ],
    [
      'full width sections',
      section('a', ' full-width="full-width" background-url="x.png"') +
        section('b', ' full-width="full-width"'),
    ],
    ['warnings', section('a', ' colour="red"') + section('b') + section('c', '\n colour="red"')],
    ['errors', `${section('a')}<mj-section><mj-text>b</mj-text></mj-section>${section('c')}<mj-foo/>`],
    ['equal sections', section('a') + section('a') + section('a')],
    ['unclosed sections', `${section('a')}<mj-section><mj-column><mj-text>b</mj-text></mj-column>`],
    [
      'Liquid in attributes',
      section('a', ' padding="{{ member.x }}" css-class="{{ member.y }}"') +
        section('b {{ member.z }}', ' background-color="{{ brand.color }}"'),
    ],
    ['the names of the marks', section('emma-12 emma-section:0:begin; liqz7x') + section('b')],
    ['private characters', section('\ue001') + section('b')],
    [
      'menus',
      section('a') +
        '<mj-section><mj-column><mj-navbar hamburger="hamburger"><mj-navbar-link href="x">x</mj-navbar-link></mj-navbar></mj-column></mj-section>' +
        section('b'),
    ],
  ])('converts %s as without it', async (_, body) => {
    const heads = [
      '',
      '<mj-style inline="inline">div { color: red } td { padding: 1px }</mj-style>',
      '<mj-html-attributes><mj-selector path="div"><mj-html-attribute name="data-a">1</mj-html-attribute></mj-selector></mj-html-attributes>',
    ]
    for (const head of heads) {
      const source = mail(body, head)
      const sections = createSectionCache()
      const whole = await convert(source)
      for (let round = 0; round < 3; round++) expect(await convert(source, sections)).toBe(whole)
      expect(await convert(mail(section('first') + body, head), sections)).toBe(
        await convert(mail(section('first') + body, head)),
      )
    }
  })

  it('renders sections anew if a conditional comment is put around them, or removed', async () => {
    const sections = createSectionCache()
    const inside = `${section('a')}\n${section('<b>b</b>  <i>c</i>')}\n`
    const around = `${section('first')}<mj-raw><!--[if mso]></mj-raw>${inside}<mj-raw><![endif]--></mj-raw>`
    for (const body of [around, `${section('first')}${inside}`, around, `${section('first')}${inside}`])
      expect(await convert(mail(body), sections)).toBe(await convert(mail(body)))
  })

  it('distinguishes names in the head that look like marks', async () => {
    const sections = createSectionCache()
    const head = '<mj-attributes><mj-class name="emma-5" color="red"/></mj-attributes>'
    for (const name of ['emma-5', 'emma-6', 'emma-5']) {
      const source = mail(
        `${section('a')}<mj-section mj-class="${name}"><mj-column><mj-text mj-class="${name}">b</mj-text></mj-column></mj-section>`,
        head,
      )
      expect(await convert(source, sections)).toBe(await convert(source))
    }
  })

  it.each(['?', '(', 'table', '.*'])('converts a font with the name %s as without it', async font => {
    const sections = createSectionCache()
    const source = mail(section('a') + section('b'), `<mj-font name="${font}" href="https://f.example/x"/>`)
    for (let round = 0; round < 2; round++)
      expect(await convert(source, sections)).toBe(await convert(source))
  })

  it('converts a source without MJML as without it', async () => {
    const sections = createSectionCache()
    for (const source of [
      '',
      'x',
      '<mjml></mjml>',
      '<mj-section></mj-section>',
      '<mjml><mj-body>',
      '<mjml><mj-body/></mjml>',
    ]) {
      expect(await runMjmlSections(source, sections)).toBeNull()
      expect(await convert(source, sections)).toBe(await convert(source))
    }
  })

  it('keeps the sections that were used last, up to a length', async () => {
    const sections = createSectionCache(3_000)
    const rendered = {
      html: { parts: ['x'.repeat(400)], words: [] },
      mediaQueries: [],
      headStyles: [],
      fonts: [],
    }
    for (const key of ['a', 'b', 'c']) sections.set(key, rendered)
    sections.get('a')
    sections.set('d', rendered)
    expect(['a', 'b', 'c', 'd'].filter(key => sections.get(key))).toEqual(['a', 'c', 'd'])
    sections.set('e', { ...rendered, html: { parts: ['x'.repeat(9_000)], words: [] } })
    expect(['a', 'b', 'c', 'd', 'e'].filter(key => sections.get(key))).toEqual([])
  })
})
