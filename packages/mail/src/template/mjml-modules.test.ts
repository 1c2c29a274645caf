import { expect, test } from 'vitest'
import { renderSegments } from '../segments.ts'
import { compileContent } from './compile-content.ts'
import { ContentError } from './template-error.ts'

const footer = {
  name: 'footer',
  type: 'mjml' as const,
  body: {
    en: `<mj-section background-color="{{ brand.color }}"><mj-column>
      <mj-text>{{ module.imprint }} {{ member.firstname }}</mj-text>
    </mj-column></mj-section>`,
  },
}
const modules = [footer, { name: 'imprint', type: 'text' as const, body: 'Coffee & Co' }]

async function html(source: { html?: string; mjml?: string; text?: string }): Promise<string> {
  const compiled = await compileContent({
    subject: 'Subject',
    preheader: '',
    html: '',
    text: '',
    ...source,
    modules,
    known: { member: ['firstname'] },
    brand: { color: '#7c2d12' },
    trackingBase: 'https://t.test',
    isTracked: false,
  })
  const data = { member: { firstname: 'Ada' }, campaign: {}, client: {}, token: '', pageToken: '' }
  return renderSegments(compiled.html, data)
}

const mjml = (body: string) => `<mjml><mj-body>${body}</mj-body></mjml>`
const section = '<mj-section><mj-column><mj-text>{{ module.imprint }}</mj-text></mj-column></mj-section>'

test('a module with MJML is converted with the template: as if its source stood there', async () => {
  const inserted = await html({ mjml: mjml(`${section}{{ module.footer }}`) })
  expect(inserted).toBe(await html({ mjml: mjml(section + footer.body.en) }))
  expect(inserted).toContain('Coffee &amp; Co Ada')
  expect(inserted).toContain('bgcolor="#7c2d12"')
})

test('a fault after it is reported at its own place', async () => {
  const source = mjml(`{{ module.footer }}\n<mj-nothing></mj-nothing>`)
  await expect(html({ mjml: source })).rejects.toThrow(ContentError)
})

test.each([
  { html: '<p>{{ module.footer }}</p>' },
  { mjml: mjml('<mj-section><mj-column><mj-text>{{ module.footer }}</mj-text></mj-column></mj-section>') },
  { mjml: mjml('<mj-section css-class="{{ module.footer }}"></mj-section>') },
  { html: '<p>x</p>', text: '{{ module.footer }}' },
])('it cannot stand elsewhere: %o', async source => {
  await expect(html(source)).rejects.toThrow('holds sections of MJML')
})
