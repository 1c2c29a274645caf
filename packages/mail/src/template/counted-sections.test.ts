import { describe, expect, it } from 'vitest'
import { type MergeData, renderSegments } from '../segments.ts'
import { compileContent, countedOf } from './compile-content.ts'
import { countedMark } from './counted-mark.ts'
import { countedSections, hasContent } from './counted-sections.ts'
import type { Module } from './modules.ts'
import { renderPreview } from './preview.ts'

const locale = { language: 'en', timeZone: 'UTC' }

function dataOf(member: Record<string, unknown>): MergeData {
  return { member, campaign: {}, client: {}, token: '', pageToken: '' }
}

/** Whether a member is shown a counted section; null if the source has none. */
function counts(source: string, member: Record<string, unknown>): boolean | null {
  const counted = countedSections(source, locale, undefined)
  return counted && hasContent(counted, dataOf(member))
}

const base = {
  subject: 'Offers',
  preheader: '',
  html: '',
  text: '',
  modules: [] as Module[],
  known: { member: ['city'] },
  trackingBase: 'https://t.example',
  isTracked: false,
}

const section = (condition: string, mark = countedMark) =>
  `{% if ${condition} %}<mj-section>${mark}<mj-column><mj-text>Offer</mj-text></mj-column></mj-section>{% endif %}`
const mjmlOf = (sections: string) => `<mjml><mj-body>${sections}</mj-body></mjml>`

describe('countedSections', () => {
  it.each([
    ['a condition', `{% if member.vip %}${countedMark}{% endif %}`, { vip: true }, { vip: false }],
    [
      'branches',
      `{% if member.a == 1 %}{% elsif member.b contains "x" %}${countedMark}{% else %}{% # counted %}{% endif %}`,
      { a: 2, b: 'y' },
      { a: 1, b: 'x' },
    ],
    ['unless', `{% unless member.a > 3 %}{%-#counted-%}{% endunless %}`, { a: 3 }, { a: 4 }],
    [
      'one of several sections',
      `{% if member.a %}${countedMark}{% endif %}{% if member.b %}${countedMark}{% endif %}`,
      { b: '' },
      { c: 1 },
    ],
    [
      'variables, filters and loops',
      `{% assign n = member.tags | split: "," %}{% for t in n %}{% if t == "a" %}${countedMark}{% endif %}{% endfor %}`,
      { tags: 'b,a' },
      { tags: 'b' },
    ],
    [
      'values that look like the result',
      `{% cycle "+" %}{% echo member.a %}{% raw %}+{% endraw %}{{ member.a }}{% if member.b %}${countedMark}{% endif %}`,
      { b: 1 },
      { a: '+' },
    ],
  ])('decides by %s', (_, source, shown, hidden) => {
    expect(counts(source, shown)).toBe(true)
    expect(counts(source, hidden)).toBe(false)
  })

  it('takes no other comment, and no mark in a comment, for a mark', () => {
    expect(counts('{% # counted twice %}{% # uncounted %}{{ member.a }}', {})).toBeNull()
    expect(counts('{% comment %}{% # counted %}{% endcomment %}', {})).toBe(false)
  })

  it('makes a test of conditions only, of a bounded size', () => {
    const testOf = (source: string) => countedSections(source, locale, undefined)?.test
    expect(testOf(`{% if member.city == "Köln" and member.age > 3 %}${countedMark}{% endif %}`)).toEqual({
      any: [
        {
          any: [
            {
              all: [
                {
                  all: [
                    { column: 'city', is: '==', value: 'Köln' },
                    { column: 'age', is: '>', value: 3 },
                  ],
                },
                { all: [] },
              ],
            },
            {
              all: [
                {
                  not: {
                    all: [
                      { column: 'city', is: '==', value: 'Köln' },
                      { column: 'age', is: '>', value: 3 },
                    ],
                  },
                },
                { any: [] },
              ],
            },
          ],
        },
      ],
    })
    expect(testOf(countedMark)).toEqual({ all: [] })
    for (const other of [
      `{% for x in member.list %}${countedMark}{% endfor %}`,
      `{% assign member = client %}{% if member.a %}${countedMark}{% endif %}`,
      `{% if member.a | upcase %}${countedMark}{% endif %}`,
      `{% if member.a.size > 1 %}${countedMark}{% endif %}`,
      `{% if client.name %}${countedMark}{% endif %}`,
      `{% break %}${countedMark}`,
      `{% if ${Array.from({ length: 300 }, (__, n) => `member.a == ${n}`).join(' or ')} %}${countedMark}{% endif %}`,
      `{% if member.a %}${countedMark}{% endif %}`.repeat(100),
      `{% if member.a %}${'{% elsif member.b %}'.repeat(20)}${countedMark}{% endif %}`,
    ])
      expect(testOf(other)).toBeNull()
  })

  it('is found in MJML, HTML, text and modules, and does not reach the mail', async () => {
    const condition = 'member.city == "Berlin"'
    const modules = [{ name: 'offer', type: 'mjml', body: { en: section(condition) }, isMandatory: false }]
    const html = `{% if ${condition} %}<table>${countedMark}<tr><td>Offer</td></tr></table>{% endif %}`
    for (const source of [
      { mjml: mjmlOf(section(condition)) },
      { mjml: mjmlOf('{{ module.offer }}'), modules: modules as Module[] },
      { html },
      { text: `{% if ${condition} %}${countedMark}Offer{% endif %}` },
    ]) {
      const compiled = await compileContent({ ...base, ...source })
      const berlin = dataOf({ city: 'Berlin' })
      expect(compiled.counted && hasContent(compiled.counted, berlin)).toBe(true)
      expect(compiled.counted && hasContent(compiled.counted, dataOf({ city: 'Bonn' }))).toBe(false)
      expect(countedOf({ ...base, ...source })?.test).toEqual(compiled.counted?.test)
      for (const part of [compiled.html, compiled.text])
        expect(renderSegments(part, berlin)).not.toMatch(/counted|\{%|liqz/)
    }
    const marked = await compileContent({ ...base, mjml: mjmlOf(section(condition)) })
    const plain = await compileContent({ ...base, mjml: mjmlOf(section(condition, '')) })
    expect(plain.counted).toBeNull()
    const berlin = dataOf({ city: 'Berlin' })
    expect(renderSegments(marked.html, berlin)).toBe(renderSegments(plain.html, berlin))
  })

  it('is told by the preview', async () => {
    const compiled = await compileContent({ ...base, mjml: mjmlOf(section('member.city == "Berlin"')) })
    const codes = (city: string) => renderPreview(compiled, dataOf({ city })).warnings.map(({ code }) => code)
    expect(codes('Bonn')).toContain('no-counted-section')
    expect(codes('Berlin')).not.toContain('no-counted-section')
  })
})
