import { expect, test } from 'vitest'
import { renderSegments } from '../segments.ts'
import { compileContent } from './compile-content.ts'
import type { JsonValue } from './json-value.ts'
import { moduleData } from './module-data.ts'
import type { Module } from './modules.ts'

const shop: JsonValue = {
  name: 'Boats & <b>sails</b>',
  products: [
    { name: 'Boat', url: 'https://shop.test/boat', price: 12 },
    { name: '{{ member.email }}', url: 'https://shop.test/{{x}}', price: 3 },
  ],
}

async function compile(source: { html?: string; mjml?: string }, modules: readonly Module[]) {
  return compileContent({
    subject: 'Subject',
    preheader: '',
    html: '',
    text: '',
    known: { member: ['email'], data: ['shop', 'news'] },
    modules,
    trackingBase: 'https://t.test',
    isTracked: true,
    ...source,
  })
}

async function render(source: { html?: string; mjml?: string }, data: JsonValue = shop) {
  const modules: Module[] = [
    { name: 'shop', type: 'data', body: '', data },
    {
      name: 'news',
      type: 'feed',
      body: '',
      items: [
        { key: '1', title: 'A {boat}', link: 'https://news.test/1', summary: 'New', image: '', date: '' },
      ],
    },
  ]
  const compiled = await compile(source, modules)
  const html = renderSegments(compiled.html, {
    member: { email: 'ann@a.test' },
    campaign: {},
    client: {},
    data: moduleData(modules),
    token: 'T',
    pageToken: 'P',
  })
  return { ...compiled, html }
}

test('templates read data: values, loops and conditions', async () => {
  const { html, warnings } = await render({
    html: `<h1>{{ data.shop.name }}</h1>{% for one in data.shop.products %}{% if one.price > 5 %}<p>{{ one.name }}: {{ one.price }}</p>{% endif %}{% endfor %}{{ data.shop.missing | default: "none" }}`,
  })
  expect(html).toContain('<h1>Boats &amp; &lt;b&gt;sails&lt;/b&gt;</h1><p>Boat: 12</p>none')
  expect(warnings.map(({ code }) => code)).not.toContain('unknown-placeholder')
})

test('links of a loop over data are numbered and tracked, and hold no Liquid', async () => {
  const { html, links } = await render({
    html: '{% for one in data.shop.products %}<a href="{{ one.url }}">{{ one.name }}</a>{% endfor %}',
  })
  expect(links.map(({ url }) => url)).toEqual(['https://shop.test/boat', 'https://shop.test/%7B%7Bx%7D%7D'])
  expect(html).not.toContain('ann@a.test')
  expect(html).toContain('((')
})

test.each(['javascript:alert(1)', ' JAVA\tscript:alert(1)', 'data:text/html,x'])(
  'an address that runs scripts is no link: %s',
  async url => {
    const html = '{% for one in data.shop.list %}<a href="{{ one.url }}">x</a>{% endfor %}'
    const single = '<a href="{{ data.shop.list[0].url }}">x</a>'
    for (const source of [html, single])
      expect((await render({ html: source }, { list: [{ url }] })).html).not.toMatch(/script:|data:/i)
  },
)

test('MJML loops over the items of a feed', async () => {
  const { html, links } = await render({
    mjml: `<mjml><mj-body><mj-section><mj-column>{% for item in data.news %}
      <mj-text>{{ item.title }}</mj-text><mj-button href="{{ item.link }}">More</mj-button>{% endfor %}
    </mj-column></mj-section></mj-body></mjml>`,
  })
  expect(html).toContain('A (boat)')
  expect(links.map(({ url }) => url)).toEqual(['https://news.test/1'])
})

test('data that is inserted like a text is a fault that names the spelling', async () => {
  const modules: Module[] = [{ name: 'shop', type: 'data', body: '' }]
  await expect(compile({ html: '{{ module.shop }}' }, modules)).rejects.toMatchObject({
    errors: [{ fault: { code: 'content.module_data', values: { example: '{{ data.shop.… }}' } } }],
  })
})

test('a loop that is too much for a mail is left for rendering', async () => {
  const long = { list: Array.from({ length: 2_000 }, () => ({ url: `https://a.test/${'x'.repeat(200)}` })) }
  const html =
    '{% for a in data.shop.list %}{% for b in data.shop.list %}<a href="{{ b.url }}">{{ a.url }}</a>{% endfor %}{% endfor %}'
  await expect(render({ html }, long)).rejects.toMatchObject({ name: 'RenderError' })
})
