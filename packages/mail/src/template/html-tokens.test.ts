import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type HtmlToken, tokenizeHtml } from './html-tokens.ts'

function shape(html: string): string[] {
  return tokenizeHtml(html).map(token => {
    const text = html.slice(token.start, token.end)
    const conditional = 'conditional' in token && token.conditional ? ' (conditional)' : ''
    if (token.type !== 'open') return `${token.type} ${text}${conditional}`
    const attributes = token.attributes.map(
      ({ name, value }) =>
        `${name}=${value ? `${value.quote}${html.slice(value.start, value.end)}` : 'null'}`,
    )
    return [`open ${token.name}`, ...attributes].join(' ') + conditional
  })
}

describe('tokenizeHtml', () => {
  it('splits any text into tokens without gaps', () => {
    const markup = fc.array(
      fc.oneof(
        fc.constantFrom(
          '<',
          '>',
          '</',
          '<!--',
          '-->',
          '<![endif]-->',
          '<!--[if mso]>',
          '"',
          "'",
          '=',
          ' ',
          '/',
          '<a ',
          '<td',
          '<script>',
          '</script>',
          '<style>',
          'href',
          '\ue000\ue000',
          '<!',
          '<?',
        ),
        fc.string(),
      ),
    )
    fc.assert(
      fc.property(markup, parts => {
        const html = parts.join('')
        const tokens: HtmlToken[] = tokenizeHtml(html)
        let at = 0
        for (const token of tokens) {
          expect(token.start).toBe(at)
          expect(token.end).toBeGreaterThan(token.start)
          at = token.end
        }
        expect(at).toBe(html.length)
      }),
      { numRuns: 500 },
    )
  })

  it('parses attributes in every form', () => {
    expect(shape(`<A HREF = "x>y" b='"' c=d/e disabled f=>`)).toEqual([
      `open a href="x>y b='" c=d/e disabled=null f=`,
    ])
    expect(shape('<br/><img src=a/ ><a href="x"b>')).toEqual([
      'open br',
      'open img src=a/',
      'open a href="x b=null',
    ])
  })

  it('parses masked Liquid between attributes as a nameless attribute', () => {
    expect(shape('<td \ue000\ue000class="a"\ue000\ue000\ue000 x>')).toEqual([
      'open td =null class="a =null x=null',
    ])
  })

  it('does not parse script, style and title content', () => {
    expect(shape('<style>a > b { } <p> </p></style><title><b></title>x')).toEqual([
      'open style',
      'text a > b { } <p> </p>',
      'close </style>',
      'open title',
      'text <b>',
      'close </title>',
      'text x',
    ])
  })

  it('parses conditional comments', () => {
    expect(
      shape(
        '<!--[if mso]><v:rect href="x"><b>c</b><![endif]--><!--[if !mso]><!--><p><!--<![endif]--><!-- <a> -->',
      ),
    ).toEqual([
      'comment <!--[if mso]>',
      'open v:rect href="x (conditional)',
      'open b (conditional)',
      'text c (conditional)',
      'close </b> (conditional)',
      'comment <![endif]-->',
      'comment <!--[if !mso]><!-->',
      'open p',
      'comment <!--<![endif]-->',
      'comment <!-- <a> -->',
    ])
  })

  it('treats stray brackets as text', () => {
    expect(shape('a < b, 1<2 <3 <')).toEqual(['text a < b, 1<2 <3 <'])
    expect(shape('x<a href="y')).toEqual(['text x<a href="y'])
  })

  it('stays linear with malicious markup', () => {
    for (const evil of [
      '<a ',
      '</a',
      '<!--[if x]>',
      '<!--[if ',
      '<a href="',
      '<style>',
      '<!--',
      '<![',
      '<a b=c ',
    ]) {
      expect(tokenizeHtml(evil.repeat(100_000)).length).toBeGreaterThan(0)
    }
  })
})
