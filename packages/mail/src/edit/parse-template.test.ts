import { describe, expect, it } from 'vitest'
import { writeTree } from '../test/edit-checks.ts'
import { growthOf, MAX_GROWTH } from '../test/growth.ts'
import { setAttribute } from './attributes.ts'
import { duplicate, insert, move, remove, setContent } from './blocks.ts'
import { parseTemplate } from './parse-template.ts'
import { applyPatch, type Patch } from './patch.ts'
import type { ElementNode, SourceRange, TemplateNode, TemplateTree } from './template-tree.ts'

function treeOf(source: string): TemplateTree {
  const tree = parseTemplate(source)
  if (tree.type === 'code') throw new Error(tree.reason.message)
  return tree
}

/** The tree as nested names, with `#` for text. */
function shape(nodes: readonly TemplateNode[]): string {
  return nodes
    .map(node => {
      if (node.type === 'text') return '#'
      return node.children.length === 0 ? node.name : `${node.name}(${shape(node.children)})`
    })
    .join(' ')
}

function named(tree: TemplateTree, name: string): ElementNode {
  const found = tree.nodes.find(node => node.type === 'element' && node.name === name)
  if (found?.type !== 'element') throw new Error(`no ${name}`)
  return found
}

function cut(tree: TemplateTree, range: SourceRange | null): string | null {
  return range && tree.source.slice(range.from, range.to)
}

function reason(source: string, format: 'mjml' | 'html'): string | null {
  const tree = parseTemplate(source, { format })
  return tree.type === 'code' ? tree.reason.code : null
}

describe('parseTemplate', () => {
  it('reads MJML components with the ranges of their tags, content and attributes', () => {
    const tree = treeOf(
      '<mjml>\n<mj-body><mj-section><mj-column><mj-text mj-class=\'a\' align=left  css-class="b {{ x | default: "q>" }}"\n>Hi <br> <b>you</b></mj-text\n><mj-image src="a.png" /></mj-column></mj-section></mj-body></mjml>',
    )
    expect(shape(tree.roots)).toBe('mjml(mj-body(mj-section(mj-column(mj-text mj-image))))')
    const text = named(tree, 'mj-text')
    expect(cut(tree, text.content)).toBe('Hi <br> <b>you</b>')
    expect(cut(tree, text.close)).toBe('</mj-text\n>')
    expect(text.attributes.map(({ name, value }) => [name, cut(tree, value), value?.quote])).toEqual([
      ['mj-class', 'a', "'"],
      ['align', 'left', ''],
      ['css-class', 'b {{ x | default: "q>" }}', '"'],
    ])
    expect(named(tree, 'mj-image')).toMatchObject({ content: null, close: null })
  })

  it('reads HTML as browsers do, with runs of text', () => {
    const tree = treeOf(
      '<!doctype html><html><head><title>t</title></head><body><p>Hello {{ name }},<p>bye<br>now<ul><li>a<li>b</ul><table><tr><td> {% if x %} <td>c</table></body></html>',
    )
    expect(shape(tree.roots)).toBe(
      'html(head(title) body(p(#) p(# br #) ul(li(#) li(#)) table(tr(td td(#)))))',
    )
    expect(tree.nodes.flatMap(node => (node.type === 'text' ? cut(tree, node.range) : []))).toEqual([
      'Hello {{ name }},',
      'bye',
      'now',
      'a',
      'b',
      'c',
    ])
  })

  it.each([
    [
      'Liquid in the head',
      '<html><head>{% if a %}<style>p{}</style>{% endif %}</head><body><p>x</p></body></html>',
      'html(head(style) body(p(#)))',
    ],
    [
      'Liquid between rows',
      '<table>{% for r in data.rows %}<tr><td>{{ r }}</td></tr>{% endfor %}</table>',
      'table(tr(td(#)))',
    ],
    [
      'tags and quotes in Liquid',
      '<p title="{{ a | default: "<p>" }}" {% if b > "c" %}class=x{% endif %}>y</p>',
      'p(#)',
    ],
    [
      'Liquid as a value without quotes',
      '<a href={{ link.x }}>y</a><img src={{ a }}/><i>z</i>',
      'a(#) img i(#)',
    ],
    [
      'comments and conditional comments',
      '<div><!--[if mso]><table><tr><td><![endif]--><p>x</p><!--[if mso]></td></tr></table><![endif]--><!-- <b> --></div>',
      'div(p(#))',
    ],
    ['a revealed conditional comment', '<!--[if !mso]><!--><p>x</p><!--<![endif]-->', 'p(#)'],
    ['misnested elements, outer one kept', '<div><b>x<p>y</b>z</p></div>', 'div(b(# #) #)'],
    ['an element closed twice', '<p>a</p></p><i>b</i>', 'p(#) i(#)'],
    ['a placeholder that is not closed', '<p>{{ b }}</p><p>{{ a </p>', 'p(#) p(#)'],
    ['a byte order mark and Windows line ends', '\ufeff<p>\r\na\r\n</p>\r\n<b>c</b>', 'p(#) b(#)'],
    ['foreign elements', '<p><svg><path d="M0"/><g><rect/></g></svg>x</p>', 'p(svg(path g(rect)) #)'],
    ['a tag that never ends', '<p>a</p><p class="b', 'p(#) #'],
  ])('HTML: %s', (_, source, expected) => {
    const tree = treeOf(source)
    expect(shape(tree.roots)).toBe(expected)
    expect(writeTree(tree)).toBe(source)
  })

  it.each([
    ['CDATA', '<mj-text><![CDATA[ </mj-text> ]]></mj-text><mj-text>b</mj-text>', 'mj-text mj-text'],
    [
      'components in a comment',
      '<mj-body><!-- <mj-text>a</mj-text> --><mj-raw><!--[if mso]><b><![endif]--></mj-raw></mj-body>',
      'mj-body(mj-raw)',
    ],
    [
      'unclosed components',
      '<mjml><mj-body><mj-section><mj-column><mj-text>a</mj-section></mj-body></mjml>',
      'mjml(mj-body(mj-section(mj-column(mj-text))))',
    ],
    [
      'Liquid around components',
      '<mj-body>{% if a > 1 %}<mj-section a="{{ "<" }}"></mj-section>{% endif %}</mj-body>',
      'mj-body(mj-section)',
    ],
    [
      'HTML in content',
      '<mj-table><tr><td>a<td>b</table></mj-table><mj-style>a > b { }</mj-style>',
      'mj-table mj-style',
    ],
    ['upper case', '<MJ-Text Align=left>a</MJ-TEXT><mj-text/>', 'mj-text mj-text'],
  ])('MJML: %s', (_, source, expected) => {
    const tree = treeOf(source)
    expect(tree.format).toBe('mjml')
    expect(shape(tree.roots)).toBe(expected)
    expect(writeTree(tree)).toBe(source)
  })

  it('tells why a template can only be edited as code', () => {
    expect(reason('x'.repeat(5_000_001), 'html')).toBe('content.edit_long')
    expect(reason('<br>'.repeat(100_001), 'html')).toBe('content.edit_many')
    expect(reason('<div>'.repeat(500), 'html')).toBe('content.html_deep')
    expect(reason('<mj-section>'.repeat(500), 'mjml')).toBe('content.mjml_deep')
    expect(reason('Dear customer', 'mjml')).toBe('content.mjml_incomplete')
  })

  it('reads 5,000 blocks', () => {
    const block = '<mj-section><mj-column><mj-text>x</mj-text></mj-column></mj-section>\n'
    expect(treeOf(`<mjml><mj-body>${block.repeat(5_000)}</mj-body></mjml>`).nodes).toHaveLength(15_002)
  })

  it.each([
    ['open tags', '<b>'],
    ['placeholders that are not closed', '{{ {% '],
    ['raw blocks', '{% raw %}{% endraw %}'],
    ['misnested elements', '<b><p></b>'],
    ['components', '<mj-text>'],
    ['siblings', '<p>a</p>\n'],
    ['attributes', '<p a=b c=d>'],
  ])('takes linear time for %s', (_, part) => {
    expect(
      growthOf(size => {
        parseTemplate(part.repeat(size / 8))
        parseTemplate(`<mjml>${part.repeat(size / 8)}`)
      }),
    ).toBeLessThan(MAX_GROWTH)
  })
})

describe('node ids', () => {
  const source = '<div><p>a</p>\n<p>b</p>\n<p>a</p></div>'
  const before = treeOf(source)
  const [first, second, third] = before.nodes.filter(node => node.type === 'element' && node.name === 'p')
  const idsAfter = (patches: Patch[], isTold = true) => {
    const options = isTold ? { previous: before, patches } : { previous: before }
    const after = parseTemplate(applyPatch(source, patches), options)
    if (after.type === 'code') throw new Error('no tree')
    expect(new Set(after.nodes.map(node => node.id)).size).toBe(after.nodes.length)
    return after.nodes.flatMap(node => {
      if (node.type === 'text' || node.name !== 'p') return []
      return node.id >= before.nextId ? 'new' : node.id
    })
  }

  it('stay after changes elsewhere and of the node', () => {
    if (first?.type !== 'element' || second?.type !== 'element' || third?.type !== 'element')
      throw new Error('no nodes')
    expect([first.id, second.id, third.id]).toEqual([1, 3, 5])
    expect(idsAfter(insert(before, { side: 'before', node: first }, '<p>new</p>'))).toEqual(['new', 1, 3, 5])
    expect(idsAfter(duplicate(before, first))).toEqual([1, 'new', 3, 5])
    expect(idsAfter(setContent(before, second, 'bee'))).toEqual([1, 3, 5])
    expect(idsAfter(setAttribute(before, first, 'id', 'x'))).toEqual([1, 3, 5])
    expect(idsAfter(remove(before, second))).toEqual([1, 5])
    expect(idsAfter(move(before, first, { side: 'after', node: second }))).toEqual([3, 1, 5])
  })

  it('stay if the change is not told', () => {
    if (first?.type !== 'element' || second?.type !== 'element') throw new Error('no nodes')
    expect(idsAfter(setContent(before, second, 'bee'), false)).toEqual([1, 3, 5])
    expect(idsAfter(setAttribute(before, first, 'id', 'x'), false)).toEqual([1, 3, 5])
    expect(idsAfter(move(before, first, { side: 'after', node: second }), false)).toContain(3)
  })
})

it('placeholder modules between the components of MJML are nodes', () => {
  const source = `<mjml><mj-head><mj-title>{{ module.title }}</mj-title>{{ module.head }}</mj-head>{{ module.lost }}<mj-body>
  {{ module.header }}
  <mj-section css-class="{{ module.look }}"><mj-column><mj-text>{{ module.text }}</mj-text></mj-column></mj-section>
  <mj-wrapper>{{module.inside}}</mj-wrapper>
  {{ member.firstname }}{{ module.footer }}
</mj-body></mjml>`
  const tree = treeOf(source)
  const modules = tree.nodes.filter(node => node.type === 'text')
  expect(modules.map(({ range, parent }) => [source.slice(range.from, range.to), parent?.name])).toEqual([
    ['{{ module.header }}', 'mj-body'],
    ['{{module.inside}}', 'mj-wrapper'],
    ['{{ module.footer }}', 'mj-body'],
  ])
  expect(writeTree(tree)).toBe(source)
})

it('a placeholder module is moved beside a section', () => {
  const source = `<mjml><mj-body>
  {{ module.footer }}
  <mj-section></mj-section>
</mj-body></mjml>`
  const tree = treeOf(source)
  const module = tree.nodes.find(node => node.type === 'text')!
  const section = tree.nodes.find(node => node.type === 'element' && node.name === 'mj-section')!
  expect(applyPatch(source, move(tree, module, { side: 'after', node: section }))).toBe(`<mjml><mj-body>
  <mj-section></mj-section>
  {{ module.footer }}
</mj-body></mjml>`)
})
