import { describe, expect, it } from 'vitest'
import { mergeFilters } from './filters.ts'
import { RenderError } from './template-error.ts'

const filters = mergeFilters({ language: 'de', timeZone: 'UTC' })

function apply(name: string, value: unknown, ...args: unknown[]): unknown {
  const filter = filters.get(name)
  if (!filter) throw new Error(`no filter ${name}`)
  return filter(value, ...args)
}

describe('mergeFilters', () => {
  it.each<[filter: string, value: unknown, args: unknown[], result: unknown]>([
    ['default', '', ['x'], 'x'],
    ['default', ' \t', ['x'], 'x'],
    ['default', null, ['x'], 'x'],
    ['default', [], ['x'], 'x'],
    ['default', 0, ['x'], 0],
    ['default', false, ['x'], 'x'],
    ['default', false, ['x', ['allow_false', true]], false],
    ['upcase', 'straße ä', [], 'STRASSE Ä'],
    ['downcase', 'ÄB', [], 'äb'],
    ['capitalize', 'éCOLE fine', [], 'École fine'],
    ['capitalize', '', [], ''],
    ['strip', '  a  ', [], 'a'],
    ['lstrip', '  a ', [], 'a '],
    ['rstrip', ' a  ', [], ' a'],
    ['strip_newlines', 'a\r\nb\nc', [], 'abc'],
    ['normalize_whitespace', 'a \n\t b', [], 'a b'],
    ['strip_html', '<p>a<style>x{}</style> <b>b</b><!-- c --></p>', [], 'a b'],
    ['newline_to_br', 'a\nb', [], 'a<br />\nb'],
    ['escape', '<a>', [], '&lt;a&gt;'],
    ['escape_once', '&lt;a> &amp; & &#39;', [], '&lt;a&gt; &amp; &amp; &#39;'],
    ['url_encode', 'a b&ä', [], 'a+b%26%C3%A4'],
    ['url_encode', '\ud800', [], '%EF%BF%BD'],
    ['url_decode', 'a+b%26', [], 'a b&'],
    ['url_decode', '%zz', [], '%zz'],
    ['safe_url', ' https://x.example/a ', [], 'https://x.example/a'],
    ['safe_url', 'javascript:alert(1)', [], ''],
    ['safe_url', 'java\nscript:alert(1)', [], ''],
    ['truncate', 'Hello world', [8], 'Hello...'],
    ['truncate', 'Hello', [8], 'Hello'],
    ['truncate', '😀😀😀', [3, ''], '😀'],
    ['truncatewords', 'one two three', [2], 'one two...'],
    ['append', 'a', [1], 'a1'],
    ['prepend', 'a', ['b'], 'ba'],
    ['remove', 'aXbX', ['X'], 'ab'],
    ['remove_first', 'aXbX', ['X'], 'abX'],
    ['replace', 'a.b.c', ['.', '$&'], 'a$&b$&c'],
    ['replace', 'abc', ['', 'x'], 'abc'],
    ['replace_first', 'a.b.c', ['.', '$&'], 'a$&b.c'],
    ['plus', 0.1, [0.2], 0.3],
    ['plus', '3', ['4'], 7],
    ['minus', 1, ['x'], 1],
    ['times', 1.1, [3], 3.3],
    ['divided_by', 10, [4], 2],
    ['divided_by', -7, [2], -4],
    ['divided_by', '20', ['7'], 2],
    ['divided_by', 10.5, [4], 2.625],
    ['divided_by', '10.0', [4], 2.5],
    ['divided_by', 10, [4, false], 2.5],
    ['divided_by', 10.5, [4, true], 2],
    ['divided_by', 1, [0], ''],
    ['modulo', 7, [4], 3],
    ['modulo', -7, [3], 2],
    ['sum', [0.1, 0.2, '3', 'x', [4]], [], 7.3],
    ['sum', [{ price: 1.1 }, { price: '2.2' }, {}], ['price'], 3.3],
    ['sum', null, [], 0],
    ['abs', -2, [], 2],
    ['ceil', 1.2, [], 2],
    ['floor', 1.8, [], 1],
    ['round', 1.005, [2], 1.01],
    ['round', -2.5, [], -3],
    ['at_least', 3, [5], 5],
    ['at_most', 9, [5], 5],
    ['money', 1234.5, [], '1.234,50\u00a0€'],
    ['money', '5', ['usd'], '5,00\u00a0$'],
    ['money', 'free', ['EUR'], 'free'],
    ['money', 5, ['nonsense'], 5],
    ['number', 1234.5, [1], '1.234,5'],
    ['number', '', [], ''],
    ['date', '2026-03-01', ['%d.%m.%Y'], '01.03.2026'],
    ['date', '2026-03-01 22:30', ['%z %:z %Z'], '+0000 +00:00 UTC'],
  ])('%s of %j with %j', (filter, value, args, result) => {
    expect(apply(filter, value, ...args)).toEqual(result)
  })

  it('never throws for unexpected values', () => {
    const odd = [
      undefined,
      null,
      {},
      Object.create(null),
      [],
      Number.NaN,
      new Date('x'),
      Symbol.iterator,
      () => 1,
    ]
    for (const filter of filters.values()) {
      for (const value of odd) expect(() => filter(value, value, value)).not.toThrow()
    }
  })

  it('limits the length of texts', () => {
    expect(() => apply('replace', 'x'.repeat(10_000), 'x', 'y'.repeat(10_000))).toThrow(RenderError)
    expect(() => apply('append', 'x'.repeat(900_000), 'x'.repeat(900_000))).toThrow(RenderError)
  })
})
