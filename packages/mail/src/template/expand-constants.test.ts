import { expect, test } from 'vitest'
import { renderSegments } from '../segments.ts'
import { compileContent } from './compile-content.ts'
import type { ContentSource } from './content-source.ts'
import type { BrandValues } from './brand-values.ts'

const brand: BrandValues = {
  color: '#b45309',
  font: 'Segoe UI, Arial, sans-serif',
  logo_url: 'https://cdn.test/logo.png',
  name: 'Coffee & Co',
  imprint: 'Coffee & Co\nHamburg',
  socials: [
    { network: 'x', url: 'https://x.com/coffee?a=1&b=2' },
    { network: 'instagram', url: 'https://instagram.com/coffee' },
  ],
}

async function compile(source: Partial<ContentSource>) {
  return compileContent({
    subject: 'Subject',
    preheader: '',
    html: '',
    text: '',
    modules: [],
    known: { member: ['firstname'], client: ['name'] },
    brand,
    trackingBase: 'https://t.test',
    isTracked: false,
    ...source,
  })
}

async function html(source: Partial<ContentSource>, firstname = 'Ada'): Promise<string> {
  const { html: segments } = await compile(source)
  return renderSegments(segments, {
    member: { firstname },
    campaign: {},
    client: {},
    token: '',
    pageToken: '',
  })
}

const mjml = (body: string, head = '') => `<mjml><mj-head>${head}</mj-head><mj-body>
  <mj-section><mj-column>${body}</mj-column></mj-section></mj-body></mjml>`

test('brand values are constants of the compiled mail', async () => {
  const compiled = await compile({
    subject: 'News of {{ brand.name }}',
    html: '<p style="color: {{ brand.color }}">{{ brand.name }}</p>{{ link.unsubscribe }}',
  })
  expect(compiled.subject).toEqual(['News of Coffee & Co'])
  expect(String(compiled.html[0])).toContain('<p style="color: #b45309">Coffee &amp; Co</p>')
  expect(compiled.warnings.map(({ code }) => code)).not.toContain('unknown-placeholder')
})

test('MJML is converted with the values: attributes, lists of networks, conditions', async () => {
  const result = await html({
    mjml: mjml(
      `{% if brand.logo_url %}<mj-image src="{{ brand.logo_url }}" alt="{{ brand.name }}" />{% endif %}
       <mj-button href="https://a.test/" background-color="{{ brand.color }}">Go</mj-button>
       <mj-social>{% for one in brand.socials %}<mj-social-element name="{{ one.network }}-noshare" href="{{ one.url }}"></mj-social-element>{% endfor %}</mj-social>`,
      '<mj-attributes><mj-all font-family="{{ brand.font }}" /></mj-attributes>',
    ),
  })
  expect(result).toContain('bgcolor="#b45309"')
  expect(result).toContain('alt="Coffee &amp; Co"')
  expect(result).toContain('Segoe UI, Arial, sans-serif')
  expect(result).toMatch(/href="https:\/\/x\.com\/coffee\?a=1&(?:amp;)?b=2"/)
  expect(result.match(/ico-social\//g)).toHaveLength(2)
})

test('Liquid that reads other data too is rendered for each recipient', async () => {
  const source = {
    html: `{% if brand.color == "#b45309" and member.firstname == "Ada" %}{{ member.firstname }} at {{ brand.name }}{% endif %}
    {% for one in brand.socials %}{{ member.firstname }}:{{ one.network }} {% endfor %}`,
  }
  expect(await html(source)).toMatch(/Ada at Coffee &amp; Co\s+Ada:x Ada:instagram/)
  expect(await html(source, 'Bob')).not.toContain('Coffee')
})

test('modules read the brand', async () => {
  const modules = [{ name: 'footer', type: 'html' as const, body: '<i>{{ brand.name }}</i>' }]
  expect(await html({ html: '{{ module.footer }}', modules })).toContain('<i>Coffee &amp; Co</i>')
  expect(await html({ mjml: mjml('<mj-text>{{ module.footer }}</mj-text>'), modules })).toContain(
    '<i>Coffee &amp; Co</i>',
  )
})

test('an unknown value is a warning at its place, and a variable of the template hides the brand', async () => {
  const { warnings } = await compile({ html: '<p>{{ brand.color }}</p>\n<p>{{ brand.colour }}</p>' })
  expect(warnings.find(({ code }) => code === 'unknown-placeholder')).toMatchObject({ line: 2 })
  expect(await html({ html: '{% assign brand = "mine" %}{{ brand }}' })).toContain('mine')
})

test.each(['{{ member.firstname }}', '{% if', '}}', '<script>', '" onload="'])(
  'a value is text, whatever it holds: %s',
  async name => {
    const result = await html({
      brand: { ...brand, name },
      html: '<p title="{{ brand.name }}">{{ brand.name }}</p>',
    })
    const escaped = name.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&#34;')
    expect(result).toContain(`<p title="${escaped}">${escaped}</p>`)
  },
)

test('the imprint of the brand is an imprint', async () => {
  const codes = async (body: string) => (await compile({ html: body })).warnings.map(({ code }) => code)
  expect(await codes('<p>{{ brand.imprint }}</p>')).not.toContain('no-imprint')
  expect(await codes('<p>{{ brand.name }}</p>')).toContain('no-imprint')
})
