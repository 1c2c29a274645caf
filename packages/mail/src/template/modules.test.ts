import { describe, expect, it } from 'vitest'
import { bodyOf, expandModules, type Module } from './modules.ts'
import { parsePart } from './parse-part.ts'
import type { Part } from './template-error.ts'

function expand(source: string, modules: Module[], part: Part = 'html', language = 'en') {
  const parsed = parsePart(part, source)
  if (!('pieces' in parsed)) throw parsed[0]
  return expandModules(part, source, parsed, modules, language)
}

/** Modules m1 … mN, each contained in the previous one. */
function chain(depth: number): Module[] {
  return Array.from({ length: depth }, (_, level) => ({
    name: `m${level + 1}`,
    type: 'html',
    body: level + 1 === depth ? 'end' : `{{ module.m${level + 2} }}`,
  }))
}

const text: Module = { name: 'imprint', type: 'text', body: 'ACME & Co.\n"Main" Street 1' }
const html: Module = {
  name: 'footer',
  type: 'html',
  body: '<p class="f">Bye, {{ member.firstname|default("you") }}.<br>{{ module.imprint }}</p>',
}

describe('expandModules', () => {
  it('escapes text for its position', () => {
    expect(expand('<p>{{ module.imprint }}</p>', [text]).text).toBe(
      '<p>ACME &amp; Co.<br>\n&#34;Main&#34; Street 1</p>',
    )
    expect(expand('<img alt="{{ module.imprint }}">', [text]).text).toBe(
      '<img alt="ACME &amp; Co. &quot;Main&quot; Street 1">',
    )
    expect(expand('-- {{ module.imprint }}', [text], 'text').text).toBe('-- ACME & Co.\n"Main" Street 1')
    expect(expand('{{ module.imprint }}', [text], 'preheader').text).toBe(
      'ACME &amp; Co. &quot;Main&quot; Street 1',
    )
  })

  it('inserts HTML with its placeholders and nested modules', () => {
    expect(expand('{{module.footer}}', [text, html]).text).toBe(
      '<p class="f">Bye, {{ member.firstname|default: "you" }}.<br>ACME &amp; Co.<br>\n&#34;Main&#34; Street 1</p>',
    )
    expect([...expand('{{module.footer}}', [text, html]).used]).toEqual(['footer', 'imprint'])
  })

  it('converts HTML to text where markup is not possible', () => {
    expect(expand('{{module.footer}}', [text, html], 'text').text).toBe(
      'Bye, {{ member.firstname|default: "you" }}.\nACME & Co.\n"Main" Street 1\n',
    )
    expect(expand('<a title="{{ module.footer }}">', [text, html]).text).toBe(
      '<a title="Bye, {{ member.firstname|default: "you" }}. ACME &amp; Co. &quot;Main&quot; Street 1">',
    )
  })

  it('supports URLs, images, code and columns', () => {
    const modules: Module[] = [
      { name: 'shop', type: 'url', body: ' https://shop.example/?a=1&b={{ member.id }} ' },
      { name: 'logo', type: 'image', body: 'https://cdn.example/logo.png?a=1&b=2' },
      {
        name: 'salutation',
        type: 'code',
        body: '{% if member.f %}Dear Ms{% else %}<i>Dear Mr</i>{% endif %}',
      },
      { name: 'name', type: 'datasource_column', body: 'firstname' },
      { name: 'bad-column', type: 'datasource_column', body: 'x }}{{ y' },
    ]
    expect(expand('<a href="{{ module.shop }}">', modules).text).toBe(
      '<a href="https://shop.example/?a=1&amp;b={{ member.id }}">',
    )
    expect(expand('{{ module.shop }}', modules, 'text').text).toBe(
      'https://shop.example/?a=1&b={{ member.id }}',
    )
    expect(expand('{{ module.logo }}', modules).text).toBe(
      '<img src="https://cdn.example/logo.png?a=1&amp;b=2" alt="logo" border="0" style="display:block;max-width:100%">',
    )
    expect(expand('<img src="{{ module.logo }}">', modules).text).toBe(
      '<img src="https://cdn.example/logo.png?a=1&amp;b=2">',
    )
    expect(expand('{{ module.salutation }}', modules).text).toBe(modules[2]?.body)
    expect(expand('Hi {{ module.name }}', modules, 'subject').text).toBe('Hi {{ member.firstname }}')
    expect(expand('{{ module.bad-column }}', modules).errors[0]?.message).toContain('does not name a column')
  })

  it('rejects excessively nested HTML where text is needed', () => {
    const deep: Module = { ...html, name: 'deep', body: '<b@c>'.repeat(150_000) }
    expect(expand('{{ module.deep }}', [deep], 'text').errors[0]?.message).toContain('nested too deeply')
  })

  it('finds modules by name, in brackets and case-insensitively', () => {
    for (const source of [
      '{{ module["imprint"] }}',
      "{{module['imprint']}}",
      '{{ module.Imprint }}',
      '{{- module.imprint -}}',
    ]) {
      expect(expand(source, [text]).errors).toEqual([])
    }
  })

  it('reports what is missing, and where', () => {
    const { errors } = expand('a\n {{ module.imprnt }}', [text])
    expect(errors.map(error => `${error.line}:${error.column} ${error.message}`)).toEqual([
      '2:2 There is no placeholder module "imprnt". Did you mean module.imprint?',
    ])
  })

  it('reports modules that contain each other', () => {
    const modules: Module[] = [
      { name: 'a', type: 'html', body: '{{ module.b }}' },
      { name: 'b', type: 'html', body: '<b>{{ module.c }}</b>' },
      { name: 'c', type: 'text', body: '{{ module.a }}' },
    ]
    expect(expand('{{ module.a }}', modules).errors[0]?.message).toBe(
      'Placeholder modules contain each other: a → b → c → a.',
    )
    expect(
      expand('{{ module.x }}', [{ name: 'x', type: 'code', body: '{{ module.x }}' }]).errors[0]?.message,
    ).toContain('x → x')
  })

  it('allows five levels, not six', () => {
    expect(expand('{{ module.m1 }}', chain(5)).text).toBe('end')
    expect(expand('{{ module.m1 }}', chain(6)).errors[0]?.message).toBe(
      'Placeholder modules are nested deeper than 5 levels: m1 → m2 → m3 → m4 → m5 → m6.',
    )
  })

  it('limits modules that double each other', () => {
    const modules: Module[] = [
      { name: 'a', type: 'html', body: '{{ module.b }}'.repeat(60) },
      { name: 'b', type: 'html', body: '{{ module.c }}'.repeat(60) },
      { name: 'c', type: 'html', body: '{{ module.d }}'.repeat(60) },
      { name: 'd', type: 'html', body: 'x'.repeat(1000) },
    ]
    expect(expand('{{ module.a }}', modules).errors[0]?.message).toBe(
      'The placeholder modules make this part too long.',
    )
  })

  it('names the module with an invalid placeholder', () => {
    const broken: Module = { name: 'promo', type: 'html', body: '<b>\n{% if x %}</b>' }
    expect(expand('{{ module.promo }}', [broken]).errors[0]?.message).toBe(
      'In the placeholder module "promo", line 2: {% if x %} is never closed. Add {% endif %} after it.',
    )
  })
})

describe('bodyOf', () => {
  it('falls back from the language to its base, English, or any', () => {
    const module: Module = { name: 'm', type: 'text', body: { de: 'Hallo', en: 'Hello', es: '' } }
    expect(bodyOf(module, 'de-AT')).toBe('Hallo')
    expect(bodyOf(module, 'es')).toBe('Hello')
    expect(bodyOf({ ...module, body: { de: 'Hallo' } }, 'fr')).toBe('Hallo')
    expect(bodyOf({ ...module, body: {} }, 'fr')).toBe('')
  })
})
