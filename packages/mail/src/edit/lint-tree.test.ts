import { describe, expect, it } from 'vitest'
import { growthOf, MAX_GROWTH } from '../test/growth.ts'
import { addFooter } from './add-footer.ts'
import { contrastOf, readableColor, readColor } from './colors.ts'
import { lintTree, type TreeFinding } from './lint-tree.ts'
import { parseTemplate } from './parse-template.ts'
import { applyPatch } from './patch.ts'

function lint(source: string): TreeFinding[] {
  const tree = parseTemplate(source)
  return tree.type === 'code' ? [] : lintTree(tree)
}

const codes = (source: string) => lint(source).map(({ code }) => code)

/** The source after the fix of its first finding. */
function fixed(source: string): string {
  const [finding] = lint(source)
  if (!finding?.fix) throw new Error('no fix')
  return applyPatch(source, finding.fix())
}

const mjml = (content: string, attributes = '') =>
  `<mjml><mj-body><mj-section ${attributes}><mj-column>${content}</mj-column></mj-section></mj-body></mjml>`

describe('lintTree', () => {
  it('finds images without an alternative text, but not decorative ones', () => {
    expect(codes(mjml('<mj-image src="https://a.example/b.png" />'))).toEqual(['image-without-alt'])
    expect(codes(mjml('<mj-image src="https://a.example/b.png" alt="" />'))).toEqual([])
    expect(codes('<img src="a.png"><img src="b.png" alt="B"><img src="p.gif" width=1 height=1>')).toEqual([
      'image-without-alt',
    ])
  })

  it('makes insecure links secure, also in texts of MJML', () => {
    expect(fixed(mjml(`<mj-button href='http://a.example/?a=1'>x</mj-button>`))).toContain(
      "href='https://a.example/?a=1'",
    )
    expect(fixed(mjml('<mj-text>x <a class="http:" href="HTTP://a.example">y</a></mj-text>'))).toContain(
      'href="HTTPs://a.example"',
    )
    expect(fixed('<a href=" http://a.example ">x</a>')).toBe('<a href=" https://a.example ">x</a>')
    expect(codes('<a href="{{ member.url }}">x</a><a href="https://a.example">y</a>')).toEqual([])
  })

  it('finds empty links and skipped levels of headings', () => {
    expect(codes('<h1>a</h1><h3>b</h3><h2>c</h2><h3>d</h3><a href="">x</a>')).toEqual([
      'empty-link',
      'heading-order',
    ])
    expect(codes(mjml('<mj-text><h1>a</h1></mj-text><mj-text><h3>b</h3></mj-text>'))).toEqual([
      'heading-order',
    ])
  })

  it('finds CSS that Gmail and others ignore, each once, and nothing that is mere decoration', () => {
    const ignored = (source: string) =>
      lint(source).flatMap(({ code, fault }) => (code === 'unsupported-css' ? [fault.values?.['css']] : []))
    expect(
      ignored(
        '<style>.a{Position : absolute;transform:none} .b:hover{color:var(--x)}</style><p style="position:fixed; --x: 1">x</p>',
      ),
    ).toEqual(['position', 'transform', 'var()'])
    expect(ignored(mjml('<mj-text><div style="justify-content:center">x</div></mj-text>'))).toEqual([
      'justify-content',
    ])
    expect(
      ignored(
        '<style>@media (prefers-color-scheme: dark){.p{border-radius:4px;animation:x 1s}}</style><p style="position:relative;background:url(data:image/png;base64,x);display:flex">x</p>',
      ),
    ).toEqual([])
    expect(ignored('<p style="{{ member.style }}">position: absolute</p>')).toEqual([])
  })

  it('finds low contrast of MJML with the defaults of its head', () => {
    const source = mjml('<mj-text color="#bbb">x</mj-text>', 'background-color="#fff"')
    expect(lint(source)).toMatchObject([
      { code: 'low-contrast', fault: { values: { text: '#bbbbbb', background: '#ffffff', contrast: 1.9 } } },
    ])
    const repaired = fixed(source)
    expect(codes(repaired)).toEqual([])
    expect(repaired).toMatch(
      /^<mjml><mj-body><mj-section background-color="#fff"><mj-column><mj-text color="#7/,
    )
    const head = '<mj-head><mj-attributes><mj-text color="#eeeeee" /></mj-attributes></mj-head>'
    expect(codes(mjml('<mj-text>x</mj-text>').replace('<mjml>', `<mjml>${head}`))).toEqual(['low-contrast'])
    expect(
      codes(mjml('<mj-text color="#bbb">x</mj-text>', 'background-url="https://a.example/b.png"')),
    ).toEqual([])
    expect(codes(mjml('<mj-text color="{{ brand.color }}">x</mj-text>'))).toEqual([])
  })

  it('finds low contrast in dark mode where it is set', () => {
    const source = mjml('<mj-text color="#222222">x</mj-text>', 'css-class="emma-dark-block-000000"')
    expect(lint(source).map(({ fault }) => fault.code)).toEqual(['content.contrast_dark'])
    expect(codes(fixed(source))).toEqual([])
    expect(fixed(source)).toContain('color="#222222" css-class="emma-dark-text-')
  })

  it('reads colors of HTML from style attributes alone', () => {
    const source =
      '<td bgcolor="#ffffff"><p style="margin:0;color:#bbb !important;background-color:#fff">x</p></td>'
    expect(codes(source)).toEqual(['low-contrast'])
    expect(fixed(source)).toMatch(/^<td bgcolor="#ffffff"><p style="margin:0;color:#[0-9a-f]{6} !important;b/)
    expect(codes(fixed(source))).toEqual([])
    expect(codes('<p style="color:#bbb">x</p>')).toEqual([])
  })

  it('takes linear time', () => {
    const part = '<p style="color:#bbb;background:#fff">x</p>'
    expect(growthOf(size => lint(part.repeat(size / 16)))).toBeLessThan(MAX_GROWTH)
  })
})

it('readable colors reach the contrast', () => {
  for (const background of ['#000', '#fff', '#777', '#c00', '#08f', '#ff0'])
    for (const text of ['#000', '#fff', '#888', '#f0f']) {
      const ground = readColor(background)!
      const color = readColor(readableColor(readColor(text)!, ground, 4.5))!
      expect(contrastOf(color, ground)).toBeGreaterThanOrEqual(4.5)
    }
})

describe('addFooter', () => {
  const text = '<a href="{{ link.unsubscribe }}">Unsubscribe</a>'

  it.each([
    [
      '<mjml><mj-body><mj-section></mj-section></mj-body></mjml>',
      `</mj-text></mj-column></mj-section></mj-body></mjml>`,
    ],
    ['<html><body><p>x</p></body></html>', `</a></p></body></html>`],
    ['<p>x</p>', '</a></p>'],
  ])('adds to %s', (source, end) => {
    const tree = parseTemplate(source)
    if (tree.type === 'code') throw new Error('code only')
    const changed = applyPatch(source, addFooter(tree, text))
    expect(changed).toContain(text)
    expect(changed.endsWith(end)).toBe(true)
  })
})
