import { describe, expect, it } from 'vitest'
import { mjmlToHtml } from './mjml.ts'
import { parsePart } from './parse-part.ts'

async function convert(source: string) {
  const parsed = parsePart('html', source)
  if (!('pieces' in parsed)) throw parsed[0]
  return await mjmlToHtml(source, parsed)
}

function mail(content: string, head = ''): string {
  return `<mjml><mj-head>${head}</mj-head><mj-body>\n<mj-section><mj-column>\n${content}\n</mj-column></mj-section></mj-body></mjml>`
}

async function faults(source: string): Promise<string[]> {
  return (await convert(source)).errors.map(error => `${error.line} ${error.message}`)
}

describe('mjmlToHtml', () => {
  it('produces HTML with Liquid in its place', async () => {
    const { html, errors, warnings } = await convert(
      mail(
        `{% if member.vip == "a < b" %}
<mj-text color="{{ client.color }}">Hi <b>{{ member.firstname | default: "<you>" }}</b> &amp; {% if a %}x{% endif %}</mj-text>
{% endif %}
<mj-button href="{{ member.url | default: "https://x.example/?a=1&b=2" }}">Go</mj-button>
<mj-table>{% for item in data.items %}<tr><td>{{ item.name }}</td></tr>{% endfor %}</mj-table>`,
        '<mj-title>For {{ member.firstname }}</mj-title><mj-style>.x { color: {{ client.color }} }</mj-style>',
      ),
    )
    expect(errors).toEqual([])
    expect(warnings).toEqual([])
    for (const liquid of [
      '{% if member.vip == "a < b" %}',
      'color:{{ client.color }};',
      '<b>{{ member.firstname | default: "<you>" }}</b> &amp; {% if a %}x{% endif %}',
      'href="{{ member.url | default: "https://x.example/?a=1&b=2" }}"',
      '{% for item in data.items %}<tr><td>{{ item.name }}</td></tr>{% endfor %}',
      '<title>For {{ member.firstname }}</title>',
      '.x { color: {{ client.color }} }',
    ]) {
      expect(html).toContain(liquid)
    }
    expect(html).not.toMatch(/liqz/i)
    expect(html.indexOf('{% if member.vip')).toBeLessThan(html.indexOf('Hi <b>'))
  })

  it('rejects includes', async () => {
    expect(await faults(mail('<mj-include path="/etc/passwd" />'))).toEqual([
      '3 <mj-include> cannot load files here. Put the content into a placeholder module: {{ module.NAME }}.',
    ])
    expect(await faults(mail('<MJ-Include path="x.html" type="html"/>'))).toHaveLength(1)
  })

  it('rejects Liquid inside of an end tag, which MJML would drop', async () => {
    expect(await faults(mail('{% if a %}<mj-text>x</mj-text{% endif %}\n>'))).toEqual([
      '3 Inside </mj-text> placeholders and conditions can only stand in the value of an attribute.',
    ])
  })

  it('reports unknown and misplaced components with their line', async () => {
    expect(await faults(mail('<mj-text>\n{{ member.x }}</mj-text>\n<mj-foo></mj-foo>'))).toEqual([
      '5 There is no MJML component <mj-foo>.',
    ])
    expect((await faults('<mjml><mj-body>\n<mj-text>x</mj-text></mj-body></mjml>'))[0]).toMatch(
      /^2 <mj-text> cannot stand in <mj-body>, only in .*mj-column/,
    )
  })

  it('warns about attributes that MJML does not support', async () => {
    const { errors, warnings } = await convert(mail('<mj-text colour="red">x</mj-text>'))
    expect(errors).toEqual([])
    expect(warnings).toMatchObject([
      { code: 'mjml', severity: 'warning', line: 3, message: 'Attribute colour is illegal' },
    ])
  })

  it.each(['', 'no mjml', '<mjml></mjml>', '<p>x</p>'])('rejects %j', async source => {
    expect(await faults(source)).toHaveLength(1)
  })

  it.each([
    ['length', mail(`<mj-text>${'x'.repeat(300_000)}</mj-text>`)],
    ['components', mail('<mj-text>x</mj-text>'.repeat(2_100))],
    ['depth', mail('<mj-wrapper>'.repeat(200))],
    [
      'attributes',
      mail(`<mj-text ${Array.from({ length: 200 }, (_, index) => `a${index}="x"`).join(' ')}>x</mj-text>`),
    ],
    [
      'inline styles',
      mail(
        `<mj-text>${'<b>x</b>'.repeat(500)}</mj-text>`,
        `<mj-style inline="inline">${'b{color:red}'.repeat(500)}</mj-style>`,
      ),
    ],
  ])('bounds %s', async (_, source) => {
    expect(await faults(source)).toHaveLength(1)
  })

  it('accepts many empty components and malicious names', async () => {
    const head = `<mj-attributes>${'<mj-class name="c" color="red"/>'.repeat(300)}<mj-class name="__proto__" color="blue"/></mj-attributes>`
    expect(await faults(mail('<mj-text mj-class="c __proto__ constructor">x</mj-text>', head))).toEqual([])
    expect('color' in {}).toBe(false)
  })

  it('rejects conditions inside a component and where they would be lost', async () => {
    expect((await faults(mail('<mj-text {% if a %}color="red"{% endif %}>x</mj-text>')))[0]).toContain(
      'only stand in the value of an attribute',
    )
    expect(
      (await faults('<mjml>{{ member.x }}<mj-body><mj-section></mj-section></mj-body></mjml>'))[0],
    ).toContain('MJML leaves out what stands here')
  })
})
