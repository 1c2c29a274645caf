import { describe, expect, it } from 'vitest'
import { renderSegments } from '../segments.ts'
import { compileContent } from './compile-content.ts'
import { withDarkRules } from './dark-rules.ts'
import { darkClass, readDarkClass } from './dark-classes.ts'

const page = (body: string) => `<!doctype html><html><head><title>x</title></head><body>${body}</body></html>`

describe('dark classes', () => {
  it.each([
    [{ kind: 'bg', value: '#1A1a1a' }, 'emma-dark-bg-1a1a1a'],
    [{ kind: 'text', value: '#fff' }, 'emma-dark-text-ffffff'],
    [
      { kind: 'image', value: 'https://a.example/b.png?x=1&y=2' },
      'emma-dark-image:https://a.example/b.png?x=1&y=2',
    ],
  ] as const)('%j as %s', (setting, name) => {
    expect(darkClass(setting)).toBe(name)
    expect(readDarkClass(name)).toMatchObject({ kind: setting.kind })
  })

  it.each(['red', '#12', '#12345', 'url(x)', '#fff}body{color:red'])('refuses the color %s', value => {
    expect(darkClass({ kind: 'bg', value })).toBeNull()
  })

  it.each(['javascript:alert(1)', 'https://a.example/x y', 'https://a.example/")}*{x:y', 'data:image/png,x'])(
    'refuses the image %s',
    value => {
      expect(darkClass({ kind: 'image', value })).toBeNull()
      expect(readDarkClass(`emma-dark-image:${value}`)).toBeNull()
    },
  )
})

describe('withDarkRules', () => {
  it('leaves a mail without dark settings as it is', () => {
    const html = page('<p class="emma-dark dark-bg-111111">{{ member.firstname }}</p>')
    expect(withDarkRules(html)).toBe(html)
    const text = page('<p>emma-dark-bg-111111</p>')
    expect(withDarkRules(text)).toBe(text)
  })

  it('writes rules for Apple Mail and Outlook at the end of the head', () => {
    const html = withDarkRules(page('<td class="a emma-dark-bg-111111 emma-dark-text-eeeeee">x</td>'))
    expect(html).toContain(
      '<style>@media (prefers-color-scheme:dark){' +
        '.emma-dark-bg-111111{background:#111111!important;background-color:#111111!important}' +
        '.emma-dark-text-eeeeee,.emma-dark-text-eeeeee *{color:#eeeeee!important}}' +
        '[data-ogsb] .emma-dark-bg-111111{background:#111111!important;background-color:#111111!important}' +
        '[data-ogsc] .emma-dark-text-eeeeee,[data-ogsc] .emma-dark-text-eeeeee *{color:#eeeeee!important}' +
        '</style></head>',
    )
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
  })

  it('gives images a name, and keeps a declared color scheme', () => {
    const html = withDarkRules(
      `<head><meta name="color-scheme" content="light dark"></head><img class="emma-dark-image:https://a.example/n.png?a=1&amp;b=2" src="x">`,
    )
    expect(html).toContain('class="emma-dark-image-0"')
    expect(html).toContain(
      'img.emma-dark-image-0,.emma-dark-image-0 img{content:url("https://a.example/n.png?a=1&b=2")',
    )
    expect(html.match(/color-scheme"/g)).toHaveLength(1)
  })

  it('takes hostile classes as classes', () => {
    const html = page('<p class="emma-dark-text-fff}*{x:y emma-dark-image:https://a/&quot;)}</style>">x</p>')
    expect(withDarkRules(html)).toBe(html)
  })

  it('limits the number of rules', () => {
    const many = Array.from({ length: 5_000 }, (_, n) => `emma-dark-bg-${n.toString(16).padStart(6, '0')}`)
    const html = withDarkRules(page(many.map(name => `<p class="${name}">x</p>`).join('')))
    expect(html.match(/\[data-ogsb\]/g)).toHaveLength(200)
  })

  it('is part of what is sent, as MJML and as HTML', async () => {
    const source = {
      subject: 'S',
      preheader: '',
      text: '',
      modules: [],
      known: { member: [] },
      trackingBase: 'https://t.example',
      isTracked: false,
    }
    const data = { member: {}, campaign: {}, client: {}, token: '', pageToken: '' }
    const mjml =
      '<mjml><mj-body><mj-section css-class="emma-dark-block-000000"><mj-column><mj-text>Hello</mj-text></mj-column></mj-section></mj-body></mjml>'
    for (const one of [{ html: '', mjml }, { html: page('<p class="emma-dark-bg-000000">Hello</p>') }]) {
      const { html, text } = await compileContent({ ...source, ...one })
      expect(renderSegments(html, data)).toContain('@media (prefers-color-scheme:dark){.emma-dark-b')
      expect(renderSegments(text, data).trim()).toBe('Hello')
    }
  })
})
