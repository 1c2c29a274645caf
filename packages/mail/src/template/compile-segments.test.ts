import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MergeData, renderSegments, type Segments } from '../segments.ts'
import { compileSegments } from './compile-segments.ts'
import { type Kind, liquidEngine } from './liquid-engine.ts'
import { RenderError } from './template-error.ts'

const locale = { language: 'de', timeZone: 'Europe/Berlin' }

const data: MergeData = {
  member: {
    firstname: 'Ada',
    lastname: 'O’Neil & <Söhne>',
    empty: '',
    blank: '  ',
    nothing: null,
    age: 36,
    price: '19.9',
    active: true,
    passive: false,
    joined: '2026-03-01',
    seen: new Date('2026-03-01T22:30:00Z'),
    evil: '"><script>alert(1)</script>',
    list: ['a', 'b'],
  },
  campaign: { id: 7, name: 'Spring' },
  client: { name: 'ACME' },
  token: 'TOKEN',
  pageToken: 'TOKEN',
  data: { order: { total: 12.5 }, items: [{ name: 'Shoe' }, { name: 'Hat' }] },
}

function compile(source: string, kind: Kind = 'html'): Segments {
  const engine = liquidEngine(kind, locale)
  return compileSegments(engine, engine.liquid.parse(source))
}

function render(source: string, kind: Kind = 'html'): string {
  return renderSegments(compile(source, kind), data)
}

describe('compileSegments', () => {
  it('splits constants from slots', () => {
    const segments = compile('Hello {{ member.firstname }}, <b>you</b>{{ member.age }}')
    expect(segments.map(segment => (typeof segment === 'string' ? segment : 'slot'))).toEqual([
      'Hello ',
      'slot',
      ', <b>you</b>',
      'slot',
    ])
  })

  it('makes a whole block one slot', () => {
    const segments = compile('a{% if member.active %}b{{ member.age }}{% else %}c{% endif %}d')
    expect(segments).toHaveLength(3)
    expect(renderSegments(segments, data)).toBe('ab36d')
  })

  it('groups conditions by brackets, with filters in them', () => {
    const text = (condition: string) => render(`{% if ${condition} %}yes{% else %}no{% endif %}`)
    expect(text('(member.passive and member.active) or member.age == 36')).toBe('yes')
    expect(text('member.passive and (member.active or member.age == 36)')).toBe('no')
    expect(text('(member.firstname | downcase) == "ada"')).toBe('yes')
    expect(text('(member.firstname | downcase | append: "!") contains "da!"')).toBe('yes')
    expect(text('not ((member.seen | date: "%Y-%m-%d") >= "2026-03-01")')).toBe('no')
    expect(text('(member.nothing | downcase) == nil')).toBe('no')
  })

  it('omits comments and raw text from the slots', () => {
    expect(compile('a{% comment %}{{ x }}{% endcomment %}{% raw %}{{ y }}{% endraw %}{% # note %}b')).toEqual(
      ['a{{ y }}b'],
    )
  })

  it('renders outputs, defaults and filters', () => {
    expect(render('{{ member.firstname | default: "friend" }}')).toBe('Ada')
    expect(
      render('{{ member.blank | default: "friend" }}{{ member.nothing | default: "x" }}{{ member.gone }}'),
    ).toBe('friendx')
    expect(render('{{ member.firstname | upcase | append: "!" | prepend: member.age }}')).toBe('36ADA!')
    expect(
      render('{{ member.passive | default: "no" }} {{ member.passive | default: "no", allow_false: true }}'),
    ).toBe('no false')
    expect(render('{{ member.price | times: 3 | money: "EUR" }}')).toBe('59,70\u00a0€')
    expect(render('{{ member.joined | date: "%-d. %B %Y" }} {{ member.seen | date: "%H:%M" }}')).toBe(
      '1. März 2026 23:30',
    )
    expect(render('{{ "x" }}{{ 3 }}{{ true }}{{ nil }}')).toBe('x3true')
  })

  it('preserves variables that the template assigns', () => {
    const source =
      '1{% assign name = member.firstname | upcase %}2{{ member.age }}3{{ name }}4{{ campaign.name }}'
    expect(render(source)).toBe('12363ADA4Spring')
    expect(compile(source).map(segment => typeof segment)).toEqual([
      'string',
      'function',
      'string',
      'function',
    ])
  })

  it('runs loops over the data of a transactional mail', () => {
    expect(
      render(
        '{% for item in data.items %}{{ forloop.index }}. {{ item.name }}{% unless forloop.last %}, {% endunless %}{% endfor %}',
      ),
    ).toBe('1. Shoe, 2. Hat')
    expect(
      render('{{ data.order.total | money: "EUR" }} {{ data.items.size }} {{ member.list | join: "+" }}'),
    ).toBe('12,50\u00a0€ 2 a+b')
  })

  it('escapes for the part that contains the value', () => {
    expect(render('{{ member.evil }}')).toBe('&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(render('{% for x in (1..1) %}{{ member.evil }}{% endfor %}')).toBe(
      '&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;',
    )
    expect(render('{{ member.evil }}', 'text')).toBe(data.member['evil'])
    expect(render('{{ member.evil | raw }}')).toBe(data.member['evil'])
  })

  it('removes line breaks and control characters of values from lines', () => {
    const hostile = { ...data, member: { firstname: 'a\r\nBcc: x@y.z\u0000\u2028b' } }
    for (const source of [
      '{{ member.firstname }}',
      '{{ member.firstname | raw }}',
      '{% for x in (1..1) %}{{ member.firstname }}{% endfor %}',
      '{% if member.firstname %}{{ member.firstname }}{% endif %}',
      '{% capture x %}{{ member.firstname }}{% endcapture %}{{ x }}',
    ]) {
      expect(renderSegments(compile(source, 'line'), hostile)).toBe('a Bcc: x@y.z b')
    }
  })

  it('cannot reach prototypes', () => {
    for (const path of [
      'member.constructor',
      'member.__proto__',
      'member["constructor"]',
      'member.constructor.constructor',
      'member.toString',
      'member.firstname.constructor',
      'constructor',
      '__proto__',
      'data.items.constructor',
      'member.hasOwnProperty',
    ]) {
      expect(render(`{{ ${path} }}`)).toBe('')
      expect(render(`{% if ${path} %}reached{% endif %}`)).toBe('')
      expect(render(`{% assign x = ${path} %}{{ x }}`)).toBe('')
    }
    expect(render('{{ data.items | map: "constructor" | join }}')).not.toMatch(/function|native/)
    expect(render('{{ data.items | where: "__proto__" | size }}')).toBe('0')
  })

  it('stops loops and texts that grow too large, with an error for this message only', () => {
    const endless = [
      '{% for i in (1..999) %}{% for j in (1..999) %}{% for k in (1..999) %}{% endfor %}{% endfor %}{% endfor %}',
      '{% for i in (1..100000000) %}x{% endfor %}',
      `{% assign a = "${'x'.repeat(100)}" %}${'{% assign a = a | append: a %}'.repeat(40)}{{ a }}`,
      `{% assign a = "${'x'.repeat(1000)}" %}{% for i in (1..900) %}{% assign a = a | replace: "x", "xxxx" %}{% endfor %}`,
      '{% for i in (1..900) %}{% for j in (1..900) %}{{ member.lastname }}{{ member.evil }}{% endfor %}{% endfor %}',
    ]
    for (const source of endless) {
      const segments = compile(source)
      expect(() => renderSegments(segments, data)).toThrow(RenderError)
    }
    expect(render('{{ member.firstname }}')).toBe('Ada')
  })
})

describe('the compiled form', () => {
  const name = fc.constantFrom(
    ...Object.keys(data.member).map(column => `member.${column}`),
    'member.gone',
    'member.constructor',
    'campaign.name',
    'client.name',
    'data.order',
    'member.list.size',
    '"text"',
    "'it'",
    '3',
    '0.5',
    'true',
    'nil',
  )
  const filter = fc.oneof(
    fc.constantFrom(
      'upcase',
      'downcase',
      'capitalize',
      'strip',
      'escape',
      'url_encode',
      'strip_html',
      'round',
      'abs',
      'size',
      'first',
      'raw',
      'newline_to_br',
      'escape_once',
    ),
    fc
      .tuple(
        fc.constantFrom(
          'default',
          'append',
          'prepend',
          'plus',
          'minus',
          'times',
          'divided_by',
          'truncate',
          'remove',
          'at_most',
          'date',
          'money',
          'number',
          'join',
          'round',
        ),
        name,
      )
      .map(([one, arg]) => `${one}: ${arg}`),
    fc.tuple(name, name).map(([a, b]) => `replace: ${a}, ${b}`),
    fc.constant('default: "no", allow_false: true'),
  )
  const output = fc
    .tuple(name, fc.array(filter, { maxLength: 3 }))
    .map(([value, filters]) => `{{ ${[value, ...filters].join(' | ')} }}`)
  const comparison = fc
    .tuple(
      name,
      fc.constantFrom('==', '!=', '>', '<', '>=', '<=', 'contains'),
      fc.oneof(name, fc.constantFrom('empty', 'blank', 'nil')),
    )
    .map(parts => parts.join(' '))
  const condition = fc.oneof(
    name,
    comparison,
    fc
      .tuple(fc.oneof(name, comparison), fc.constantFrom('and', 'or'), comparison)
      .map(parts => parts.join(' ')),
    comparison.map(one => `not ${one}`),
  )
  const block = fc
    .tuple(fc.constantFrom('if', 'unless'), condition, output, condition, output, output)
    .map(
      ([tag, first, a, second, b, c]) =>
        `{% ${tag} ${first} %}A${a}{% elsif ${second} %}B${b}{% else %}C${c}{% end${tag} %}`,
    )
  const source = fc
    .array(fc.oneof(output, block, fc.constant(' text ')), { maxLength: 4 })
    .map(parts => parts.join('-'))

  it('renders the same as liquidjs', () => {
    fc.assert(
      fc.property(source, fc.constantFrom<Kind>('html', 'text', 'line', 'url'), (template, kind) => {
        const engine = liquidEngine(kind, locale)
        const parsed = engine.liquid.parse(template)
        const expected = engine.finish(
          String(
            engine.liquid.renderSync(parsed, {
              ...data,
              member: { ...data.member, seen: '2026-03-01 22:30' },
            }),
          ),
        )
        expect(engine.finish(renderSegments(compileSegments(engine, parsed), data))).toBe(expected)
      }),
      { numRuns: 500 },
    )
  })
})
