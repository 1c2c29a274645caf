import { describe, expect, it } from 'vitest'
import { extractLinks } from './extract-links.ts'

describe('extractLinks', () => {
  it('returns a row per link, in the order of the HTML', () => {
    const html = `<a href="https://a.example/?x=1&amp;y=2">One <b>two</b></a>
<a href='https://b.example'><img src="i" alt="The &quot;shop&quot;"></a>
<map><area href=https://c.example alt="Map"></map>
<a href="https://a.example/?x=1&amp;y=2" title="Again"> </a><a href=" https://d.example/ "></a>
<a href="mailto:x@y.example">m</a><a href="#t">t</a><a href="">e</a><a name="x">n</a><a href="{{ link.unsubscribe }}">u</a>`
    expect(extractLinks(html, '')).toEqual([
      { index: 0, name: 'One two', url: 'https://a.example/?x=1&y=2', is_active: true },
      { index: 1, name: 'The "shop"', url: 'https://b.example', is_active: true },
      { index: 2, name: 'Map', url: 'https://c.example', is_active: true },
      { index: 3, name: 'Again', url: 'https://a.example/?x=1&y=2', is_active: true },
      { index: 4, name: 'd.example', url: 'https://d.example/', is_active: true },
    ])
  })

  it('finds links in conditional comments', () => {
    const html = `<!--[if mso]><v:roundrect href="https://a.example"><center>Buy</center></v:roundrect><![endif]-->
<!--[if !mso]><!--><a href="https://a.example">Buy now</a><!--<![endif]--><!-- <a href="https://no.example"> -->`
    expect(extractLinks(html, '').map(({ name, url }) => [name, url])).toEqual([
      ['Buy', 'https://a.example'],
      ['Buy now', 'https://a.example'],
    ])
  })

  it('preserves placeholders in URLs, and skips URLs that cannot be resolved on click', () => {
    const html = `<a href="https://a.example/{{ member.id }}?c={{ campaign.id | url_encode }}">a</a>
<a href="{{ member.url | default: "https://b.example" }}">b</a>
{% for i in data.items %}<a href="{{ i.url }}">c</a><a href="https://d.example/">d</a>{% endfor %}
<a {% if member.x %}href="https://e.example"{% else %}href="https://f.example"{% endif %}>e</a>
<a href="{% if member.x %}https://g.example{% else %}https://h.example{% endif %}">g</a>
<a href="https://i.example/?u={{ link.browser | url_encode }}">i</a><a href="https://j.example/{% if member.x %}">j</a>{% endif %}`
    expect(extractLinks(html, '').map(row => row.url)).toEqual([
      'https://a.example/{{ member.id }}?c={{ campaign.id | url_encode }}',
      '{{ member.url | default: "https://b.example" }}',
      'https://d.example/',
      'https://e.example',
      'https://f.example',
      '{% if member.x %}https://g.example{% else %}https://h.example{% endif %}',
    ])
  })

  it('finds URLs in sentences', () => {
    const text = `See https://a.example/x, (https://b.example/(y)) <https://c.example>; "https://d.example/z".
https://e.example/?q={{ member.x | default: "a b" }}! <{{ member.url }}> {{ member.url }} nohttps://f.example`
    expect(extractLinks('', text).map(row => row.url)).toEqual([
      'https://a.example/x',
      'https://b.example/(y)',
      'https://c.example',
      'https://d.example/z',
      'https://e.example/?q={{ member.x | default: "a b" }}',
      '{{ member.url }}',
    ])
  })

  it.each([
    ['Ann <{{ member.email }}>', '', []],
    ['<{{ member.firstname | upcase }}>', '', []],
    [
      '<{{member.shop_url}}> <{{ data.trackingLink2 }}>',
      '',
      ['{{member.shop_url}}', '{{ data.trackingLink2 }}'],
    ],
    [
      '<{{ member.x | default: "https://a.example" }}>',
      '',
      ['{{ member.x | default: "https://a.example" }}'],
    ],
    [
      '<{{member.profile}}>',
      '<a href="{{ member.profile }}">x</a>',
      ['{{ member.profile }}', '{{member.profile}}'],
    ],
    ['<{{ member.email }}>', '<a href="mailto:{{ member.email }}">x</a>', []],
  ])('distinguishes an address in angle brackets from a link: %s', (text, html, urls) => {
    expect(extractLinks(html, text).map(row => row.url)).toEqual(urls)
  })

  it('matches text links with the links of the HTML and adds those found only in the text', () => {
    const html =
      '<a href="https://a.example">1</a><a href="https://b.example">2</a><a href="https://a.example">3</a>'
    const rows = extractLinks(html, 'https://a.example https://a.example https://a.example https://t.example')
    expect(rows.map(row => [row.name, row.url])).toEqual([
      ['1', 'https://a.example'],
      ['2', 'https://b.example'],
      ['3', 'https://a.example'],
      ['t.example', 'https://t.example'],
    ])
  })

  it('preserves name and active state of existing rows that moved', () => {
    const before = [
      { name: 'Header', url: 'https://a.example', is_active: false },
      { name: 'Gone', url: 'https://gone.example', is_active: false },
      { name: 'Footer', url: 'https://a.example', is_active: true },
    ]
    const html =
      '<a href="https://new.example">n</a><a href="https://a.example">x</a><a href="https://a.example">y</a>'
    expect(extractLinks(html, '', before)).toEqual([
      { index: 0, name: 'n', url: 'https://new.example', is_active: true },
      { index: 1, name: 'Header', url: 'https://a.example', is_active: false },
      { index: 2, name: 'Footer', url: 'https://a.example', is_active: true },
    ])
  })

  it('does not track links that opt out', () => {
    expect(extractLinks('<a data-emma-track="no" href="https://a.example">a</a>', '')[0]?.is_active).toBe(
      false,
    )
  })
})
