import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type MergeData, renderSegments } from '../segments.ts'
import { compileContent } from './compile-content.ts'
import type { ContentSource } from './content-source.ts'
import { decodeEntities } from './html-entities.ts'

/** Real templates of other programs, not part of the repository; without them this file is skipped. */
const folder = fileURLToPath(new URL('../../../../../shared/data/templates/', import.meta.url))
const files = existsSync(folder) ? readdirSync(folder).filter(file => /\.(?:html|mjml)$/.test(file)) : []

const data: MergeData = {
  member: { firstname: 'Ada' },
  campaign: {},
  client: {},
  token: 'TOKEN',
  pageToken: 'TOKEN',
}

function sourceOf(text: string, isMjml: boolean): ContentSource {
  return {
    subject: 'Hello {{ member.firstname }}',
    preheader: 'Preview',
    html: isMjml ? '' : text,
    mjml: isMjml ? text : '',
    text: '',
    modules: [],
    known: { member: ['firstname'] },
    trackingBase: 'https://t.example',
    isTracked: true,
  }
}

/** Links found by a plain search, for comparison with the tokenizer. */
function webLinks(text: string): string[] {
  const visible = text.replaceAll(/<!--(?!\[if)[\s\S]*?-->/g, '')
  const tags =
    visible.match(/<(?:a|area|mj-button|mj-image|mj-navbar-link|mj-social-element)\s[^>]*>/gi) ?? []
  return tags
    .map(tag => decodeEntities(/\shref\s*=\s*"\s*([^"]*?)\s*"/i.exec(tag)?.[1] ?? ''))
    .filter(url => /^https?:\/\/[^/]/i.test(url))
}

const templates = files.map(file => ({ file, text: readFileSync(folder + file, 'utf8') }))

/** Handlebars loops are not supported. */
const foreignLoops = templates.filter(({ text }) => text.includes('{{#'))

describe('templates of other programs', () => {
  it.skipIf(files.length === 0)('are available (otherwise this file checks nothing)', () => {
    expect(files.length).toBeGreaterThan(30)
  })

  it.each(foreignLoops)('$file is rejected with an explanation', async ({ file, text }) => {
    await expect(compileContent(sourceOf(text, file.endsWith('.mjml')))).rejects.toThrow(
      /is not possible here/,
    )
  })

  it.each(templates.filter(one => !foreignLoops.includes(one)))(
    '$file compiles and preserves its links',
    async ({ file, text }) => {
      const { html, links } = await compileContent(sourceOf(text, file.endsWith('.mjml')))
      const rendered = renderSegments(html, data)
      expect(links.map(link => link.url)).toEqual(expect.arrayContaining(webLinks(text)))
      for (const { index } of links) expect(rendered).toContain(`"https://t.example/t/c/TOKEN/${index}"`)
      expect(rendered).toContain('https://t.example/t/o/TOKEN.gif')
      for (const tag of text.match(/\*\|[\w:]+\|\*/g) ?? []) expect(rendered).toContain(tag)
    },
  )

  it.each(templates.filter(({ file, text }) => file.endsWith('.html') && !text.includes('{{')))(
    '$file stays unchanged without tracking and inlining',
    async ({ text }) => {
      const { html } = await compileContent({ ...sourceOf(text, false), isTracked: false, preheader: '' })
      const rendered = renderSegments(html, data).replace('<head><meta charset="utf-8">', '<head>')
      expect(withoutStyles(rendered)).toBe(withoutStyles(text))
    },
  )
})

/** Inlining changes only style attributes. */
function withoutStyles(html: string): string {
  return html.replaceAll(/\s+style\s*=\s*(?:"[^"]*"|'[^']*')/g, '')
}
