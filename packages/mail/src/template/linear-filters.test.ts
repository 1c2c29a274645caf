import { describe, expect, it } from 'vitest'
import { type MergeData, renderSegments } from '../segments.ts'
import { growthOf, MAX_GROWTH } from '../test/growth.ts'
import { compileSegments } from './compile-segments.ts'
import { filterNames, liquidEngine } from './liquid-engine.ts'
import { startRender } from './render-budget.ts'
import { stripHtml } from './strip-html.ts'
import { RenderError } from './template-error.ts'

const engine = liquidEngine('html', { language: 'en', timeZone: 'UTC' })

/** Inputs that make regular expressions and scanners backtrack. */
const units = [
  '<',
  '<script',
  '<style>',
  '<!--',
  '<a ',
  ' ',
  '\r',
  '\n ',
  '&#',
  '&a',
  '%',
  '%e',
  '9',
  '-',
  'a b ',
  '\ud800',
  ',',
  '..',
  '&lt',
  'x@',
  '://',
  '"',
]

function slot(filter: string): (value: unknown, near?: string) => string {
  const segments = compileSegments(engine, engine.liquid.parse(`{{ data.value | ${filter} }}`))
  return (value, near) => {
    const data: MergeData = {
      member: {},
      campaign: {},
      client: {},
      token: '',
      pageToken: '',
      data: { value, near },
    }
    try {
      return renderSegments(segments, data)
    } catch (error) {
      if (error instanceof RenderError) return ''
      throw error
    }
  }
}

/** Smaller than the default: a hundred filters are measured with twenty texts each. */
const SIZE = 3_200

const withArguments: Record<string, string> = {
  append: "append: 'x'",
  prepend: "prepend: 'x'",
  remove: "remove: 'ab'",
  remove_first: "remove_first: 'ab'",
  replace: "replace: 'ab', 'c'",
  replace_first: "replace_first: 'ab', 'c'",
  split: "split: 'ab'",
  where: "where: 'a', 'b'",
  map: "map: 'a'",
  concat: 'concat: data.value',
  slice: 'slice: 1, 5',
  date: "date: '%d'",
}

describe('filters', () => {
  it.each(filterNames(engine))('%s takes linear time in its input', name => {
    const render = slot(withArguments[name] ?? name)
    for (const unit of units) {
      const repeated = (size: number) => `a${unit.repeat(size / unit.length)}`
      expect(
        growthOf(size => render(repeated(size)), SIZE),
        `of ${JSON.stringify(unit)}`,
      ).toBeLessThan(MAX_GROWTH)
    }
  })

  it.each([
    'append: data.value',
    'remove: data.near',
    'remove_first: data.near',
    "replace: data.near, 'x'",
    "replace_first: data.near, 'x'",
    'split: data.near',
    'date: data.value',
    'money: data.value',
    'truncate: 5, data.value',
    'truncatewords: 5, data.value',
    'where: data.value, data.value',
    'sort: data.value',
    'map: data.value',
  ])('%s takes linear time in its arguments', filter => {
    for (const unit of ['ab', '%e', '.', '[', ' ']) {
      const render = slot(filter)
      const task = (size: number) => render(unit.repeat(size / unit.length), `${unit.repeat(size / 8)}x`)
      expect(growthOf(task, SIZE), `of ${JSON.stringify(unit)}`).toBeLessThan(MAX_GROWTH)
    }
  })

  it('strip_html removes what the regular expression of liquidjs removes', () => {
    const marks = ['<', '>', '<script', '</script>', '<style', '</style>', '<!--', '-->', 'a', '<b>', '\n']
    const expression = /<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<!--[\s\S]*?-->|<[^>]*>/g
    let seed = 7
    for (let run = 0; run < 5_000; run++) {
      let text = ''
      for (let length = 0; length < 9; length++) {
        seed = (seed * 16_807) % 2_147_483_647
        text += marks[seed % marks.length]
      }
      expect(stripHtml(text)).toBe(text.replaceAll(expression, ''))
    }
  })
})

describe('the budget of a render', () => {
  const value = 'x'.repeat(500_000)
  const data: MergeData = { member: {}, campaign: {}, client: {}, token: '', pageToken: '', data: { value } }

  it.each([
    ['compiled outputs', '{{ data.value }}'],
    ['compiled filters', '{{ data.value | upcase | size | truncate: 1 }}'],
    ['filters with short results', '{{ data.value | strip_html | truncate: 1 }}'],
    ['outputs rendered by liquidjs', '{{ data.value | split: "y" | first | truncate: 1 }}'],
    ['branches', '{% if data.value %}{{ data.value | downcase | truncate: 1 }}{% endif %}'],
  ])('stops a template with many %s', (_, template) => {
    const segments = compileSegments(engine, engine.liquid.parse(`${template} `.repeat(1_000)))
    expect(() => renderSegments(segments, data)).toThrow(RenderError)
  })

  it.each([
    ['sort', '{% assign r = l | sort %}'],
    ['uniq', '{% assign r = l | uniq %}'],
    ['where', "{% assign r = l | where: 'size', 1 %}"],
    ['join', "{{ l | join: '' | size }}"],
    ['a filter of texts', '{{ l | upcase | size }}'],
    ['an output', '{{ l }}'],
    ['contains', '{% if l contains data.value %}{% endif %}'],
    ['a comparison', '{% for i in (1..1000) %}{% if data.value == l[0] %}{% endif %}{% endfor %}'],
  ])('counts a long text once per reference in a list: %s', (_, template) => {
    const doubled = '{% assign l = l | concat: l %}'.repeat(12)
    const source = `{% assign l = data.value | split: ',' %}${doubled}${template}`
    const segments = compileSegments(engine, engine.liquid.parse(source))
    expect(() => renderSegments(segments, data)).toThrow(/too much time or memory/)
  })

  it.each([
    ['conditions', `{% if ${'not '.repeat(60_000)}data.value %}x{% endif %}`],
    ['filters', `{{ 'a' ${'| upcase '.repeat(60_000)}}}`],
  ])('leaves long chains of %s to liquidjs', (_, template) => {
    const segments = compileSegments(engine, engine.liquid.parse(template))
    expect(() => renderSegments(segments, data)).not.toThrow(RangeError)
  })

  it('starts at zero for every render', () => {
    const segments = compileSegments(engine, engine.liquid.parse('{{ data.value | upcase }}'.repeat(5)))
    for (let run = 0; run < 20; run++) expect(renderSegments(segments, data)).toHaveLength(2_500_000)
    startRender()
  })
})
