import { expect, test } from 'vitest'
import { compileContent } from './compile-content.ts'
import { htmlSections } from './html-sections.ts'
import { ContentError } from './template-error.ts'

const block = `<mj-section background-color="{{ brand.color }}">
  {% if member.city %}<mj-column width="50%"><mj-text>Hello {{ member.firstname | default: "you" }}</mj-text></mj-column>{% endif %}
  <mj-column width="50%"><mj-text font-family="Georgia">Two</mj-text></mj-column>
</mj-section>
<mj-hero background-url="https://example.com/a.png"><mj-text>Three</mj-text></mj-hero>`

test('sections of MJML become one section of HTML with their Liquid, and the rules of their columns', async () => {
  const { html, styles } = await htmlSections(block)
  expect(html).toMatch(/^<table class="emma-section"[^>]*><tr><td>\n<!--\[if mso[^]*<\/td><\/tr><\/table>$/)
  expect(html).toContain('background-color:{{ brand.color }}')
  expect(html).toContain('{% if member.city %}')
  expect(html).toContain('Hello {{ member.firstname | default: "you" }}')
  expect(html).toMatch(/font-family:\{\{ brand\.font \}\}[^>]*>Hello/)
  expect(html).toMatch(/font-family:Georgia[^>]*>Two/)
  expect(html).toContain('Three')
  expect(html).not.toMatch(/<(?:html|head|body|style|mj-)/)
  expect(html).not.toMatch(/\n\s*\n/)
  expect(styles).toEqual([
    expect.stringMatching(/^<style type="text\/css"> @media [^\n]*\.mj-column-per-50 \{[^\n]*<\/style>$/),
    expect.stringMatching(/^<style media=[^\n]*\.moz-text-html \.mj-column-per-50 [^\n]*<\/style>$/),
  ])
})

test('the HTML compiles in a template, with the values of the brand', async () => {
  const { html, styles } = await htmlSections(block)
  const { html: compiled } = await compileContent({
    subject: 'News',
    preheader: '',
    html: `<html><head>${styles.join('\n')}</head><body>${html}</body></html>`,
    text: '',
    modules: [],
    brand: { color: '#aa0000', font: 'Verdana, sans-serif' },
    known: { member: ['city', 'firstname'] },
    trackingBase: 'https://t.example',
    isTracked: false,
  })
  const text = compiled.filter(segment => typeof segment === 'string').join('')
  expect(text).toContain('background-color:#aa0000')
  expect(text).toContain('font-family:Verdana, sans-serif')
  expect(text).toContain('.mj-column-per-50')
})

test('columns of one width need no rule, and faults of MJML are reported with their line', async () => {
  const { styles } = await htmlSections('<mj-wrapper><mj-section></mj-section></mj-wrapper>')
  expect(styles).toEqual([])
  const faulty = htmlSections('<mj-section>\n<mj-text>Not in a column</mj-text></mj-section>')
  await expect(faulty).rejects.toThrow(ContentError)
  await expect(faulty).rejects.toMatchObject({ errors: [{ part: 'html', line: 2 }] })
})
