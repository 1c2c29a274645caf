import { describe, expect, it } from 'vitest'
import { compileContent } from './compile-content.ts'
import { ContentError } from './template-error.ts'

describe('HTML that builds a larger tree than its size suggests', () => {
  it.each([
    ['nested elements', '<div>'.repeat(4_000), 'nested too deeply'],
    ['unmatched end tags', '<div></x>'.repeat(100_000), 'nested too deeply'],
    ['unclosed tags in foreign content', `<svg>${'<tr>'.repeat(50_000)}`, 'nested too deeply'],
    ['formatting that is repeated in each paragraph', '<b><p>'.repeat(900), 'are not closed'],
    [
      'much formatting, and many paragraphs',
      `<p>${numbered(300)}</p>${'<p>x</p>'.repeat(300)}`,
      'are not closed',
    ],
    [
      'repeated long attributes',
      `<p><b id=${'x'.repeat(50_000)}></p>${'<p>x</p>'.repeat(5_000)}`,
      'are not closed',
    ],
    ['nested list and table elements', '<li><tr>'.repeat(50_000), 'The text version cannot be made'],
  ])('is rejected: %s', async (_, html, fault) => {
    const error = await compile(`<style>p{color:red}</style>${html}`).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ContentError)
    expect(String(error)).toMatch(/(?:html|text), line 1, column \d+: /)
    expect(String(error)).toContain(fault)
  })

  it.each([
    ['deeper than usual messages', `${'<div>'.repeat(300)}x${'</div>'.repeat(300)}`],
    ['with some unclosed formatting', `<font><b><i>${'<p>x</p>'.repeat(1_000)}`],
    ['with unclosed cells and paragraphs', `<table>${'<tr><td><font>x</font>'.repeat(2_000)}</table>`],
  ])('is compiled: %s', async (_, html) => {
    const { links } = await compile(`<style>p{color:red}</style>${html}<a href="https://a.test/">a</a>`)
    expect(links).toHaveLength(1)
  })

  it.each([
    ['selectors', `p${':not(.b)'.repeat(20_000)}{color:red}`, '<p>x</p>'.repeat(20_000)],
    [
      'declarations',
      `p{${Array.from({ length: 9_000 }, (_, n) => `--p${n}:x;`).join('')}}`,
      '<p>x</p>'.repeat(3_000),
    ],
    ['declared lengths', `p{--a:${'x'.repeat(200_000)}}`, '<p>x</p>'.repeat(3_000)],
  ])('is not inlined if too expensive: %s', async (_, css, html) => {
    const { warnings } = await compile(`<style>${css}</style>${html}`)
    expect(warnings.map(({ code }) => code)).toContain('styles-not-inlined')
  })
})

function numbered(count: number): string {
  return Array.from({ length: count }, (_, n) => `<b id=b${n}>`).join('')
}

function compile(html: string): ReturnType<typeof compileContent> {
  return compileContent({
    subject: 's',
    preheader: '',
    html,
    text: '',
    modules: [],
    known: { member: [] },
    trackingBase: 'https://t.example',
    isTracked: true,
  })
}
