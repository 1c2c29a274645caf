import { describe, expect, it } from 'vitest'
import { inlineCss } from './inline-css.ts'

describe('inlineCss', () => {
  it('copies rules into style attributes and changes nothing else', () => {
    const html = `<html><head><style>p.a { color: red } td{padding:0} a:hover{color:blue} @media (max-width:9px){p{color:pink}}</style></head>
<body><p class=a>x<br/><TABLE><tr><td   style='margin:1px' >y</td></table><p class="b">z</p></body></html>`
    expect(inlineCss(html)).toBe(
      html
        .replace('<p class=a>', '<p class=a style="color: red;">')
        .replace(`<td   style='margin:1px' >`, '<td   style="padding: 0;margin: 1px" >'),
    )
  })

  it('leaves a message without style elements byte-identical', () => {
    const html = '<p style="color:red">x<![if !mso]>y<![endif]></p><link rel="stylesheet" href="x.css">'
    expect(inlineCss(html)).toBe(html)
  })

  it('does not damage Liquid', () => {
    const html = `<style>td { color: {{ client.color | default: "red" }}; padding: 0 } .v { margin: 0 }</style>
<table>{% for row in data.rows %}<tr {% if row.hot %}class="v"{% else %}class="w"{% endif %}>
<td style="width: {{ row.width }}px; {% if row.bold %}font-weight: bold{% endif %}">{{ row.name }}</td>
<td style="height:{{ row.height }}px" title="{{ row.title | default: "none" }}">&lt;</td></tr>{% endfor %}</table>`
    const css = 'color: {{ client.color | default: "red" }};padding: 0'
    expect(inlineCss(html)).toBe(
      html
        .replace('style="width:', `style="${css}; width:`)
        .replace('style="height:{{ row.height }}px"', `style="${css};height: {{ row.height }}px"`),
    )
  })

  it('inlines the unconditional classes of an element', () => {
    const html =
      '<style>.a{color:red}.b{margin:0}</style><p class="a {% if member.x %}b{% endif %}">x</p><p class="{{ member.c }} b">y</p>'
    expect(inlineCss(html)).toBe(
      html
        .replace('endif %}">x', 'endif %}" style="color: red;">x')
        .replace(' b">y', ' b" style="margin: 0;">y'),
    )
  })

  it('preserves conditional comments and their content', () => {
    const html =
      '<style>td,b{color:red}</style><!--[if mso]><td><b>x</b></td><![endif]--><!--[if !mso]><!--><b>y</b><!--<![endif]--><![if gte mso 9]><i>z</i><![endif]>'
    expect(inlineCss(html)).toBe(html.replace('<b>y', '<b style="color: red;">y'))
  })

  it('loads no external resources', () => {
    const html =
      '<style>p{color:red}</style><link rel="stylesheet" href="file:///etc/passwd"><style>@import url(http://127.0.0.1:1/x.css);</style><p>x'
    expect(inlineCss(html)).toBe(html.replace('<p>x', '<p style="color: red;">x'))
  })

  it('does not inline excessive styles', () => {
    const html = `<style>${'p,b{color:red}'.repeat(5_000)}</style>${'<p>x</p>'.repeat(1_000)}`
    expect(inlineCss(html)).toBe(html)
  })

  it('ignores invalid CSS', () => {
    expect(inlineCss('<style>p{color:red;;}} @@ { <p>{{ "}" }}</style><p>x')).toContain(
      '<p style="color: red;">x',
    )
  })

  it('inlines next to invalid style attributes', () => {
    const html =
      '<style>p{color:red}</style><p style="bold">x</p><p style="margin:0;}">y</p><b style="top:0">z</b>'
    expect(inlineCss(html)).toBe(
      html
        .replace('style="bold"', 'style="color: red; bold"')
        .replace('style="margin:0;}"', 'style="color: red; margin:0;}"'),
    )
  })
})
