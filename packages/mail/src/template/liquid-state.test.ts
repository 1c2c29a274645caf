import * as fc from 'fast-check'
import { Liquid } from 'liquidjs'
import { describe, expect, it } from 'vitest'
import { type MergeData, renderSegments } from '../segments.ts'
import { compileContent } from './compile-content.ts'
import { compileSegments } from './compile-segments.ts'
import type { ContentSource } from './content-source.ts'
import { formatDate } from './format-date.ts'
import { liquidEngine } from './liquid-engine.ts'
import { normaliseLiquid } from './normalise-liquid.ts'
import { scanLiquid } from './scan-liquid.ts'

const locale = { language: 'en', timeZone: 'UTC' }
const data: MergeData = {
  member: { a: 'one', b: 'two', city: 'Ulm', points: 20 },
  campaign: {},
  client: {},
  token: 'T',
  pageToken: 'T',
  data: { list: ['a', 'b', 'c', 'd', 'e', 'f'] },
}

function render(source: string): string {
  const engine = liquidEngine('text', locale)
  const { text } = normaliseLiquid(source, scanLiquid(source), false, (_, error) => {
    throw error
  })
  return renderSegments(compileSegments(engine, engine.liquid.parse(text)), data)
}

const content: ContentSource = {
  subject: 's',
  preheader: '',
  html: '',
  text: '',
  modules: [],
  known: { member: ['a', 'b', 'city', 'points'], data: ['list'] },
  trackingBase: 'https://t.example',
  isTracked: true,
}

describe('tags with a state', () => {
  it('cycle continues across tags, whatever is between them', () => {
    const cycle = "{% cycle 'x', 'y' %}"
    expect(render(`${cycle}-{{ member.city }}-${cycle}{% if member.a %}${cycle}{% endif %}`)).toBe('x-Ulm-yx')
  })

  it('a loop continues where the previous one ended', () => {
    const first = '{% for i in data.list limit: 2 %}{{ i }}{% endfor %}'
    const next = '{% for i in data.list limit: 2 offset: continue %}{{ i }}{% endfor %}'
    expect(render(`${first}|{{ member.city }}|${next}|${next}`)).toBe('ab|Ulm|cd|ef')
  })

  it('render as in liquidjs, alone and among other parts', () => {
    const tag = fc.constantFrom(
      "{% cycle 'x', 'y', 'z' %}",
      '{% cycle member.a, member.b %}',
      "{% cycle 'g': 'x', 'y' %}",
      '{% for i in data.list limit: 2 %}{{ i }}{% cycle "x", "y" %}{% endfor %}',
      '{% for i in data.list limit: 1 offset: continue %}{{ i }}{% endfor %}',
      '{% for j in data.list limit: 3 %}{{ j }}{% endfor %}',
      '{% if member.a %}{% cycle member.a, "q" %}{% endif %}',
      '{{ member.city }}',
      ' text ',
    )
    const oracle = new Liquid()
    fc.assert(
      fc.property(fc.array(tag, { maxLength: 8 }), tags => {
        const source = tags.join('-')
        expect(render(source)).toBe(oracle.parseAndRenderSync(source, { ...data }))
      }),
      { numRuns: 200 },
    )
  })
})

describe('names in tags', () => {
  it('of cycle and offset are columns that the message reads', async () => {
    const { memberNames } = await compileContent({
      ...content,
      text: '{% cycle member.a, member.b %}{% for i in data.list offset: member.points %}{{ i }}{% endfor %}',
    })
    expect(memberNames?.toSorted()).toEqual(['a', 'b', 'points'])
  })

  it('cause a warning if unknown, except "continue"', async () => {
    const { warnings } = await compileContent({
      ...content,
      text: '{% cycle member.x, "y" %}{% for i in data.list offset: member.z %}{% endfor %}{% for i in data.list offset: continue %}{% endfor %}',
    })
    const unknown = warnings.filter(({ code }) => code === 'unknown-placeholder')
    expect(unknown.map(({ message }) => message.split(' ', 1)[0])).toEqual(['member.x', 'member.z'])
  })
})

describe('nested loops', () => {
  it('have access to the parent loop', () => {
    const source =
      '{% for a in (1..2) %}{% for b in (1..2) %}{{ forloop.parentloop.index }}.{{ forloop.index }} {% endfor %}{{ forloop.parentloop.index }}{% endfor %}'
    expect(render(source)).toBe('1.1 1.2 2.1 2.2 ')
    expect(
      render(
        '{% for a in (1..1) %}{% for b in (1..2) %}{% for c in (1..1) %}{{ forloop.parentloop.parentloop.length }}{{ forloop.parentloop.rindex }} {% endfor %}{% endfor %}{% endfor %}',
      ),
    ).toBe('12 11 ')
  })
})

describe('numbers', () => {
  it.each([
    ['{{ member.points | divided_by: 7 }}', '2'],
    ['{{ member.points | divided_by: 7.0 | round: 3 }}', '2.857'],
    ['{{ member.points | divided_by: 8.0 }}', '2.5'],
    ['{% assign x = member.points | divided_by: 8.0 %}{{ x }}', '2.5'],
    ['{{ -7 | divided_by: 2 }}', '-4'],
    ['{{ -7 | modulo: 3 }}', '2'],
    ['{{ "0.1,0.2" | split: "," | sum }}', '0.3'],
  ])('%s gives %s', (source, text) => {
    expect(render(source)).toBe(text)
  })
})

describe('letters of dates', () => {
  it('render as in liquidjs in UTC and English', () => {
    const oracle = new Liquid({ timezoneOffset: 0, locale: 'en' })
    const letters = 'aAbBCdeHIjklmMpPsSuUwWyYzht%'.split('').map(letter => `%${letter}`)
    const pattern = fc.array(fc.constantFrom(...letters, '%-d', '%_d', '%0e', '%^a', '%:z', ' '), {
      maxLength: 6,
    })
    const moment = fc.date({
      min: new Date('1971-01-01T00:00:00Z'),
      max: new Date('2099-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(moment, pattern, (date, parts) => {
        date.setUTCMilliseconds(0)
        const format = parts.join('')
        fc.pre(format !== '')
        const text: string = oracle.parseAndRenderSync('{{ value | date: format }}', {
          value: date.toISOString(),
          format,
        })
        expect(formatDate(date.toISOString(), format, locale)).toBe(text)
      }),
      { numRuns: 300 },
    )
  })
})
