import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MergeData, renderSegments } from '../segments.ts'
import { compileContent } from './compile-content.ts'
import type { ContentSource } from './content-source.ts'
import { tokenizeHtml } from './html-tokens.ts'
import { ContentError, RenderError } from './template-error.ts'

const base: ContentSource = {
  subject: 's',
  preheader: '',
  html: '',
  text: '',
  modules: [
    { name: 'm', type: 'html', body: '<b title="{{ member.a }}">{{ member.a }}</b>' },
    { name: 't', type: 'text', body: 'x "y" <z>\n{{ member.a }}' },
  ],
  known: { member: ['a'] },
  trackingBase: 'https://t.example',
  isTracked: true,
}

const token = 'A'.repeat(34)

function merge(a: unknown): MergeData {
  return { member: { a }, campaign: {}, client: {}, token, pageToken: token }
}

const fragments = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '{{ member.a }}',
        '{{ member.a | raw }}',
        '{{module.m}}',
        '{{ module.t }}',
        '{% if member.a %}',
        '{% endif %}',
        '{% for i in (1..3) %}',
        '{% endfor %}',
        '{% assign x = member.a %}',
        '{{ x }}',
        '{{ link.unsubscribe }}',
        '<a href="',
        '<a href=',
        '">',
        "'>",
        '>',
        '<p ',
        '<style>p{color:red}</style>',
        '<!--[if mso]>',
        '<![endif]-->',
        '<!--',
        '-->',
        '<body>',
        '</body>',
        '<head>',
        '<meta charset=',
        '<script>',
        '</script>',
        'https://x.example/',
        'javascript:',
        'class="',
        'style="',
        ' ',
        '\n',
      ),
      fc.string(),
    ),
    { maxLength: 14 },
  )
  .map(parts => parts.join(''))

/** The allowed results of compiling any content. */
async function outcome(
  source: ContentSource,
  data: MergeData,
): Promise<{ html: string; subject: string; text: string } | 'refused'> {
  try {
    const { html, subject, text } = await compileContent(source)
    return {
      html: renderSegments(html, data),
      subject: renderSegments(subject, data),
      text: renderSegments(text, data),
    }
  } catch (error) {
    if (error instanceof ContentError || error instanceof RenderError) return 'refused'
    throw error
  }
}

describe('compileContent with arbitrary and malicious content', () => {
  it('compiles or reports faults, and never fails otherwise', async () => {
    await fc.assert(
      fc.asyncProperty(
        fragments,
        fragments,
        fragments,
        fc.string({ unit: 'binary' }),
        async (html, subject, text, value) => {
          const result = await outcome(
            { ...base, html, subject, text, preheader: subject.slice(0, 50) },
            merge(value),
          )
          if (result === 'refused') return
          expect(result.subject).not.toMatch(/[\r\n\0]/)
        },
      ),
      { numRuns: 400 },
    )
  })

  it('never lets a value add or change a tag, wherever it is merged', async () => {
    const { html } = await compileContent({
      ...base,
      isTracked: false,
      preheader: 'p {{ member.a }}',
      html: `<title>{{ member.a }}</title><p title="{{ member.a }}" class={{ member.a }} id='{{ member.a }}'>{{ member.a }}</p>
<a href="{{ member.a }}">x</a><a href="https://x.example/{{ member.a }}">y</a><a href="https://x.example/{{ member.a | raw }}">z</a><img src="{{ member.a }}" alt="{{ member.a | escape }}">
{% if member.a %}<i title="{{ member.a }}">{{ member.a | newline_to_br }}</i>{% endif %}{% for i in (1..1) %}<u>{{ member.a }}</u>{% endfor %}
<!-- {{ member.a }} --><!--[if mso]><b>{{ member.a }}</b><![endif]-->{{ module.m }}{{ module.t }}<style>p { color: {{ member.a }} }</style>`,
    })
    const shape = (value: string) =>
      tokenizeHtml(renderSegments(html, merge(value)))
        .filter(one => one.type !== 'text')
        .map(one => (one.type === 'open' ? [one.name, ...one.attributes.map(({ name }) => name)] : one.type))
        // A line break in a value becomes <br /> if the template requests it.
        .filter(one => one[0] !== 'br')
    const expected = shape('plain')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc
            .array(
              fc.constantFrom(
                '<',
                '>',
                '"',
                "'",
                '`',
                '=',
                '-->',
                '</style>',
                '<script>',
                '<![endif]-->',
                ' onload=',
                '&#34;',
                '\n',
                '{{ 7 }}',
                '{% raw %}',
              ),
            )
            .map(parts => parts.join('')),
        ),
        value => {
          expect(shape(`x${value}`)).toEqual(expected)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('does not parse values as templates', async () => {
    const result = await outcome(
      { ...base, html: '<p>{{ member.a }}</p>', subject: '{{ member.a }}' },
      merge('{{ link.unsubscribe }}{% if x %}'),
    )
    expect(result).toMatchObject({ subject: '{{ link.unsubscribe }}{% if x %}' })
  })
})
