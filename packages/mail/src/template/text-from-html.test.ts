import { describe, expect, it } from 'vitest'
import { textFromHtml } from './text-from-html.ts'

describe('textFromHtml', () => {
  it('preserves text, links and alt texts, and omits hidden content', () => {
    const html = `<html><head><title>T</title><style>p{}</style></head><body>
<div style="display:none">preview</div><h1>Big &amp; bold</h1>
<p>See <a href="https://x.example/?a=1&amp;b=2">our shop</a> or <a href="https://y.example">https://y.example</a>.</p>
<a href="#top">up</a><a href="https://z.example"><img src="i.png" alt="Picture"></a><img src="spacer.gif">
<table><tr><td>left</td><td>right</td></tr></table><!--[if mso]>outlook<![endif]--></body></html>`
    expect(textFromHtml(html)).toBe(`Big & bold

See our shop <https://x.example/?a=1&b=2> or https://y.example.

upPicture <https://z.example>
left
right
`)
  })

  it('preserves Liquid anywhere', () => {
    const html =
      '<p>Dear {{ member.firstname | default: "<friend>" }},</p><table>{% for i in data.items %}<tr><td>{{ i.name }}</td></tr>{% endfor %}</table><a href="{{ link.unsubscribe }}">Unsubscribe</a>'
    expect(textFromHtml(html)).toBe(
      'Dear {{ member.firstname | default: "<friend>" }},\n\n{% for i in data.items %}\n{{ i.name }}\n{% endfor %}\n\nUnsubscribe <{{ link.unsubscribe }}>\n',
    )
  })

  it('preserves Liquid blocks that begin or end in comments', () => {
    const html =
      '<p>a</p><!-- {% if member.vip %} {{ member.a }} --><p>b</p><!--{% else %}--><p>c</p><!--[if mso]>{% endif %}<![endif]-->d'
    expect(textFromHtml(html)).toBe('a\n\n{% if member.vip %}\n\nb\n\n{% else %}\n\nc\n\n{% endif %}d\n')
    expect(textFromHtml('{% for i in (1..3) %}x<!--{% endfor %}')).toBe(
      '{% for i in (1..3) %}x{% endfor %}\n',
    )
  })

  it('does not turn text into a placeholder', () => {
    expect(textFromHtml('<p>&#123;&#123; member.x }} {&#37; if %}</p>')).not.toMatch(/\{[{%]/)
  })

  it('keeps a bracket apart from a placeholder that an element separated from it', () => {
    expect(textFromHtml('{<head>{{ member.a }}')).toBe('{\u200b{{ member.a }}\n')
    expect(textFromHtml('<p>{<b>{% if member.a %}</b>x{% endif %}</p>')).toBe(
      '{\u200b{% if member.a %}x{% endif %}\n',
    )
  })

  it('wraps lines, but not URLs', () => {
    const url = `https://x.example/${'a'.repeat(120)}`
    const lines = textFromHtml(`<p>${'word '.repeat(60)}<a href="${url}">link</a></p>`).split('\n')
    expect(lines.every(line => line.length <= 76 || line.includes(url))).toBe(true)
    expect(lines.some(line => line.includes(url))).toBe(true)
  })

  it('is empty for empty HTML', () => {
    expect(textFromHtml('<html><body> </body></html>')).toBe('')
  })
})
