import { describe, expect, it } from 'vitest'
import { parsePart } from './parse-part.ts'
import type { Part } from './template-error.ts'

function errors(source: string, part: Part = 'html'): string[] {
  const parsed = parsePart(part, source)
  if ('pieces' in parsed) return []
  return parsed.map(error => `${error.line}:${error.column} ${error.message}`)
}

function written(source: string, part: Part = 'html'): string {
  const parsed = parsePart(part, source)
  return 'pieces' in parsed ? parsed.text : parsed.map(error => error.message).join('\n')
}

describe('parsePart', () => {
  it.each([
    [
      '{{ member.x',
      '1:1 This placeholder is never closed: {{ member.x. It must end with }}, and quotes inside it come in pairs.',
    ],
    ['\n\n a {% if x %}b', '3:4 {% if x %} is never closed. Add {% endif %} after it.'],
    ['{% if x', '1:1 This tag is never closed: {% if x. It must end with %}.'],
    ['{% raw %}x', '1:10 {% raw %} is never closed. Add {% endraw %} after it.'],
    ['{% endif %}', '1:1 {% endif %} closes nothing: {% if %} is missing before it.'],
    ['{% else %}', '1:1 {% else %} stands outside of a condition.'],
    ['{% fro i in x %}{% endfor %}', '1:1 There is no tag called "fro". Did you mean "for"?'],
    ['{{ member.x | defualt: "y" }}', '1:1 There is no filter called "defualt". Did you mean "default"?'],
    [
      '{{ member.x | default "y" }}',
      '1:23 After the name of a filter comes ":" and its value, in {{ member.x | default "y" }}.',
    ],
    ['{{ member.first name }}', '1:1 Something is missing or too much in {{ member.first name }}.'],
    ['{{ }}', '1:4 The name of a column is missing in {{ }}.'],
    ['{{ member.x | }}', '1:1 Something is missing at the end of {{ member.x | }}.'],
    ['{{member.x|default("y"}}', '1:1 A closing bracket ")" is missing in "member.x|default("y"".'],
    [
      '{% if member.x = 1 %}a{% endif %}',
      '1:17 Comparisons are written with two equals signs (==), in {% if member.x = 1 %}.',
    ],
    ['{% if a && b %}a{% endif %}', '1:10 Conditions are joined by "and" and "or", in {% if a && b %}.'],
    ['{% if a > %}b{% endif %}', '1:1 Something is missing or too much in {% if a > %}.'],
    [
      '{{{ member.x }}}',
      '1:1 Three curly brackets are not possible here. Write {{ name }}, or {{ name | raw }} for HTML.',
    ],
    [
      '{{#each list}}',
      '1:1 "{{#each}}" is not possible here. Write {% for item in data.list %}…{% endfor %}.',
    ],
    [
      '{{> footer}}',
      '1:1 "{{> footer}}" is not possible here. Put the text into a placeholder module: {{ module.NAME }}.',
    ],
    ['{% for i in (1..5000) %}x{% endfor %}', '1:13 A loop can run 1000 times at most.'],
    ['{% if a %}'.repeat(60), '1:501 The conditions and loops are nested too deeply.'],
  ])('reports the fault in %j', (source, message) => {
    expect(errors(source)).toEqual([message])
  })

  it.each(['include', 'render', 'layout', 'block', 'liquid', 'increment'])(
    'does not support the tag %s',
    tag => {
      const [message] = errors(`{% ${tag} "/etc/passwd" %}`)
      expect(message).toMatch(/not available in mails|There is no tag called/)
    },
  )

  it('finds all faults at once, with their positions', () => {
    expect(errors('{% if member.a %}\n{{ member.b | nope }}\n{% endif %}\n{{ member.c | upcas }}')).toEqual([
      '2:1 There is no filter called "nope".',
      '4:1 There is no filter called "upcas". Did you mean "upcase"?',
    ])
  })

  it('takes groups in brackets as operands of conditions only', () => {
    expect(errors('{% if (member.a | downcase) == "x" and (member.b or member.c) %}{% endif %}')).toEqual([])
    expect(errors('{% unless (member.a | nope) == "x" %}{% endunless %}')).toEqual([
      '1:1 There is no filter called "nope".',
    ])
  })

  it.each([
    '{{ (member.a) | raw }}',
    '{% assign x = (member.a and member.b) %}',
    '{% for x in (data.list) %}{% endfor %}',
    '{% if member.a == (member.b | append: (member.c)) %}{% endif %}',
    '{% if (member.a member.b) %}{% endif %}',
  ])('refuses the group in %s', text => {
    expect(errors(text)).toEqual([expect.stringContaining('Something is missing or too much')])
  })

  it('limits the nesting of brackets', () => {
    const nested = (depth: number) => `{% if ${'('.repeat(depth)}member.a${')'.repeat(depth)} %}{% endif %}`
    expect(errors(nested(50))).toEqual([])
    expect(errors(nested(51))).toEqual([expect.stringContaining('1:1')])
    expect(errors(nested(100_000))).toEqual([expect.stringContaining('1:1')])
  })

  it('limits the length and the number of placeholders', () => {
    expect(errors('x'.repeat(2001), 'subject')).toEqual(['1:1 This part is longer than 2,000 characters.'])
    expect(errors('{{ member.x }}'.repeat(20_001))).toEqual(['1:1 This part has too many placeholders.'])
  })

  it.each([
    ['{{member.firstname|default("…")}}', '{{member.firstname|default: "…"}}'],
    ['{{ a | replace("(", ")") | upcase() }}', '{{ a | replace: "(", ")" | upcase }}'],
    [
      '{{#if member.a}}x{{else if member.b}}y{{else}}z{{/if}}',
      '{% if member.a %}x{% elsif member.b %}y{% else %}z{% endif %}',
    ],
    ['{{#unless member.a}}x{{/unless}}', '{% unless member.a %}x{% endunless %}'],
    ['{{! a note }}x', 'x'],
    ['{{ member.a | default: &quot;x &amp; y&quot; }}', '{{ member.a | default: "x & y" }}'],
    ['{{&nbsp;member.a&nbsp;|&nbsp;default:&nbsp;“x”&nbsp;}}', '{{ member.a | default: "x" }}'],
    ['{% if member.age &gt; 17 %}a{% endif %}', '{% if member.age > 17 %}a{% endif %}'],
    ['{{ member.a | escape }}', '{{ member.a | escape | raw }}'],
    ['{{ member.a | newline_to_br }}', '{{ member.a | escape | newline_to_br | raw }}'],
    ['{{ member.a | default: "| escape" }}', '{{ member.a | default: "| escape" }}'],
    ['{%- if a -%} {{- b -}} {%- endif -%}', '{%- if a -%} {{- b -}} {%- endif -%}'],
    ['{% raw %}{{#each x}} &quot;{% endraw %}', '{% raw %}{{#each x}} &quot;{% endraw %}'],
    ['<p>&quot;plain&quot; „text“</p>', '<p>&quot;plain&quot; „text“</p>'],
  ])('parses %j', (source, liquid) => {
    expect(written(source)).toBe(liquid)
  })

  it('does not decode entities in text parts', () => {
    expect(written('{{ member.a | default: "x &amp; y" }}', 'text')).toBe(
      '{{ member.a | default: "x &amp; y" }}',
    )
    expect(written('{{ member.a | escape }}', 'text')).toBe('{{ member.a }}')
  })
})
