import { describe, expect, it } from 'vitest'
import { attributeValue, setAttribute } from './attributes.ts'
import { duplicate, insert, move, type Place, remove, setContent } from './blocks.ts'
import { changeCondition, conditionOf, unwrapCondition, wrapInCondition } from './conditions.ts'
import { canBeCounted, isCounted, setCounted } from './counted.ts'
import { applyPatch, invertPatch, type Patch, replaceRange } from './patch.ts'
import { parseTemplate } from './parse-template.ts'
import { setCode } from './set-code.ts'
import type { ElementNode, TemplateNode, TemplateTree } from './template-tree.ts'

function treeOf(source: string): TemplateTree {
  const tree = parseTemplate(source)
  if (tree.type === 'code') throw new Error(tree.reason.message)
  return tree
}

/** The nth element of a name. */
function named(tree: TemplateTree, name: string, position = 0): ElementNode {
  const found = tree.nodes.filter(node => node.type === 'element' && node.name === name)[position]
  if (found?.type !== 'element') throw new Error(`no ${name}`)
  return found
}

/** Applies the patches of an edit, and checks that their inverse gives the source back. */
function after(tree: TemplateTree, patches: readonly Patch[]): string {
  const changed = applyPatch(tree.source, patches)
  expect(applyPatch(changed, invertPatch(tree.source, patches))).toBe(tree.source)
  return changed
}

function set(source: string, name: string, value: string | null): string {
  const tree = treeOf(source)
  return after(tree, setAttribute(tree, named(tree, 'a'), name, value))
}

/** Makes an edit of a template with list items. */
function edit(
  source: string,
  change: (tree: TemplateTree, item: (n: number) => ElementNode) => Patch[],
): string {
  const tree = treeOf(source)
  return after(
    tree,
    change(tree, position => named(tree, 'li', position)),
  )
}

/** Puts a condition around a node and removes it again. */
function roundTrip(source: string, node: (tree: TemplateTree) => TemplateNode, expected: string): void {
  const tree = treeOf(source)
  const wrapped = after(tree, wrapInCondition(tree, node(tree), ' member.vip == "a > b" '))
  expect(wrapped).toBe(expected)
  const changed = treeOf(wrapped)
  expect(conditionOf(changed, node(changed))?.condition).toBe('member.vip == "a > b"')
  expect(after(changed, unwrapCondition(changed, node(changed)))).toBe(source)
}

describe('setAttribute', () => {
  it.each([
    [
      'changes a value in its quotes',
      '<a  href=\'x\' title="y">z</a>',
      'href',
      "it's <b>",
      '<a  href=\'it&#39;s &lt;b&gt;\' title="y">z</a>',
    ],
    [
      'keeps a value without quotes so',
      '<a href=x title=y>z</a>',
      'href',
      'https://x.example/y',
      '<a href=https://x.example/y title=y>z</a>',
    ],
    [
      'adds quotes where they are needed',
      '<a href=x title=y>z</a>',
      'href',
      'a b',
      '<a href="a b" title=y>z</a>',
    ],
    ['adds a value to a name', '<a download>z</a>', 'download', 'x', '<a download="x">z</a>'],
    [
      'adds an attribute last',
      '<a\n  href="x"\n>z</a>',
      'title',
      'a "b"',
      '<a\n  href="x" title="a &quot;b&quot;"\n>z</a>',
    ],
    ['adds the first attribute', '<a>z</a>', 'title', 'b', '<a title="b">z</a>'],
    [
      'adds an attribute after Liquid',
      '<a {% if x > 1 %}href="y"{% endif %}>z</a>',
      'title',
      'b',
      '<a {% if x > 1 %}href="y"{% endif %} title="b">z</a>',
    ],
    [
      'removes an attribute with the white space before it',
      '<a\n  href="x"\n  title="y">z</a>',
      'title',
      null,
      '<a\n  href="x">z</a>',
    ],
    [
      'leaves Liquid unescaped',
      '<a href="x">z</a>',
      'href',
      '{{ x | default: "y" }}&',
      '<a href="{{ x | default: "y" }}&">z</a>',
    ],
    [
      'escapes what would be an entity',
      '<a href="x">z</a>',
      'href',
      '?a=1&b=2&lt;',
      '<a href="?a=1&amp;b=2&amp;lt;">z</a>',
    ],
    [
      'keeps the ampersands of a URL',
      '<a href="?a=1&b=2">z</a>',
      'href',
      '?a=1&b=3',
      '<a href="?a=1&b=3">z</a>',
    ],
    [
      'changes nothing for an equal text',
      '<a href="?a=1&amp;b=2&#38;c">z</a>',
      'href',
      '?a=1&b=2&c',
      '<a href="?a=1&amp;b=2&#38;c">z</a>',
    ],
    ['changes nothing without the attribute', '<a>z</a>', 'href', null, '<a>z</a>'],
  ])('%s', (_, source, name, value, expected) => {
    expect(set(source, name, value)).toBe(expected)
  })

  it('reads back every value that it wrote', () => {
    for (const value of ['', '"', "'", '&amp;', '<>', 'a&nbsp;b', '{{ x | default: "\'" }}"', 'ä😀\r\n']) {
      for (const source of ['<a>', '<a b>', '<a b=c>', '<a b="c">', "<a b='c'>"]) {
        const tree = treeOf(set(`${source}z</a>`, 'b', value))
        expect(attributeValue(tree, named(tree, 'a'), 'b')).toBe(value)
      }
    }
  })

  it('refuses names that are none, and attributes that occur twice', () => {
    expect(() => set('<a>z</a>', 'a b', 'c')).toThrow('not the name of an attribute')
    expect(() => set('<a {% if x %}class="a"{% else %}class="b"{% endif %}>z</a>', 'class', 'c')).toThrow(
      'more than once',
    )
  })
})

describe('blocks', () => {
  const list = '<ul>\n  <li>a</li>\n  <li>b</li>\n  <li>c</li>\n</ul>\n'
  it('replaces content, and only what differs in it', () => {
    const tree = treeOf('<p>Hello <b>you</b></p>')
    expect(setContent(tree, named(tree, 'p'), 'Hello <b>us</b>')).toEqual([
      { from: 12, to: 15, insert: 'us' },
    ])
    expect(setContent(tree, named(tree, 'p'), 'Hello <b>you</b>')).toEqual([])
    expect(after(tree, setContent(tree, tree.nodes[1]!, 'Bye'))).toBe('<p>Bye <b>you</b></p>')
  })

  it('opens a component without content', () => {
    const tree = treeOf('<mj-column>\n<mj-text align="left" />\n</mj-column>')
    expect(after(tree, setContent(tree, named(tree, 'mj-text'), 'x'))).toBe(
      '<mj-column>\n<mj-text align="left">x</mj-text>\n</mj-column>',
    )
    const html = treeOf('<p><br/></p>')
    expect(() => setContent(html, named(html, 'br'), 'x')).toThrow('<br> cannot have content.')
  })

  it.each<[string, (item: (n: number) => ElementNode, tree: TemplateTree) => Place, string]>([
    ['before a block', item => ({ side: 'before', node: item(1) }), 'anbc'],
    ['after a block', item => ({ side: 'after', node: item(1) }), 'abnc'],
    ['first', (_, tree) => ({ side: 'first', node: named(tree, 'ul') }), 'nabc'],
    ['last', (_, tree) => ({ side: 'last', node: named(tree, 'ul') }), 'abcn'],
  ])('inserts on a line of its own %s', (_, place, order) => {
    const items = order
      .split('')
      .map(name => `  <li>${name}</li>\n`)
      .join('')
    expect(edit(list, (tree, item) => insert(tree, place(item, tree), '<li>n</li>'))).toBe(
      `<ul>\n${items}</ul>\n`,
    )
  })

  it('inserts in line where the neighbour is, with the line ends of the template', () => {
    expect(
      edit('<ul><li>a</li></ul>\r\n', (tree, item) =>
        insert(tree, { side: 'after', node: item(0) }, '<li>\nb</li>'),
      ),
    ).toBe('<ul><li>a</li><li>\r\nb</li></ul>\r\n')
    expect(edit('<ul>\r\n\t<li>a</li>\r\n</ul>', (tree, item) => duplicate(tree, item(0)))).toBe(
      '<ul>\r\n\t<li>a</li>\r\n\t<li>a</li>\r\n</ul>',
    )
    expect(edit('<ul></ul>', tree => insert(tree, { side: 'last', node: named(tree, 'ul') }, '<li>a'))).toBe(
      '<ul><li>a</ul>',
    )
  })

  it('removes and moves a block with its lines', () => {
    expect(edit(list, (tree, item) => remove(tree, item(1)))).toBe(
      '<ul>\n  <li>a</li>\n  <li>c</li>\n</ul>\n',
    )
    expect(edit(list, (tree, item) => move(tree, item(2), { side: 'before', node: item(0) }))).toBe(
      '<ul>\n  <li>c</li>\n  <li>a</li>\n  <li>b</li>\n</ul>\n',
    )
    expect(edit(list, (tree, item) => move(tree, item(0), { side: 'after', node: item(1) }))).toBe(
      '<ul>\n  <li>b</li>\n  <li>a</li>\n  <li>c</li>\n</ul>\n',
    )
    expect(edit('<pre>\n <i>a</i>\n <li>b</li>\n</pre>', (tree, item) => remove(tree, item(0)))).toBe(
      '<pre>\n <i>a</i>\n \n</pre>',
    )
  })

  it('moves into another element, and writes an end tag that was omitted', () => {
    expect(
      edit('<ul><li>a<li>b</ul><ol></ol>', (tree, item) =>
        move(tree, item(0), { side: 'first', node: named(tree, 'ol') }),
      ),
    ).toBe('<ul><li>b</ul><ol><li>a</li></ol>')
    expect(edit('<ul><li>a\n<li>b</ul>', (tree, item) => duplicate(tree, item(0)))).toBe(
      '<ul><li>a</li><li>a</li>\n<li>b</ul>',
    )
  })

  it('writes the end tag of an unclosed element before the block', () => {
    const omitted = '<ul>\n<li>a\n<li>b\n<li>c\n</ul>'
    expect(edit(omitted, (tree, item) => insert(tree, { side: 'before', node: item(1) }, 'n'))).toBe(
      '<ul>\n<li>a</li>\nn\n<li>b\n<li>c\n</ul>',
    )
    expect(edit(omitted, (tree, item) => move(tree, item(2), { side: 'before', node: item(1) }))).toBe(
      '<ul>\n<li>a</li>\n<li>c</li>\n<li>b\n</ul>',
    )
    expect(edit(omitted, (tree, item) => remove(tree, item(1)))).toBe('<ul>\n<li>a\n<li>c\n</ul>')
    const tree = treeOf('<div><p>a<ul></ul>b</div>')
    expect(after(tree, remove(tree, named(tree, 'ul')))).toBe('<div><p>a</p>b</div>')
    expect(after(tree, wrapInCondition(tree, named(tree, 'p'), 'x'))).toBe(
      '<div>{% if x %}<p>a</p>{% endif %}<ul></ul>b</div>',
    )
  })

  it('makes no patch for a move that changes nothing', () => {
    const tree = treeOf(list)
    const [a, b] = [named(tree, 'li', 0), named(tree, 'li', 1)]
    expect(move(tree, a, { side: 'before', node: b })).toEqual([])
    expect(move(tree, b, { side: 'after', node: a })).toEqual([])
    expect(move(tree, a, { side: 'after', node: a })).toEqual([])
    expect(move(tree, a, { side: 'first', node: named(tree, 'ul') })).toEqual([])
  })

  it('refuses a move into itself, and blocks with a part of a condition', () => {
    const tree = treeOf('<div><p>x</p></div>')
    expect(() => move(tree, named(tree, 'div'), { side: 'after', node: named(tree, 'p') })).toThrow(
      'into itself',
    )
    const half = treeOf('<div>a{% if x %}</div><div>{% else %}b{% endif %}</div>')
    expect(() => remove(half, named(half, 'div'))).toThrow('{% if x %}')
    expect(() => duplicate(half, named(half, 'div', 1))).toThrow('{% else %}')
    const whole = treeOf('<div>{{#if x}}a{{else}}b{{/if}}{% case y %}{% when 1 %}c{% endcase %}</div>')
    expect(after(whole, remove(whole, named(whole, 'div')))).toBe('')
  })
})

describe('conditions', () => {
  it('are written around a block on lines of their own, and removed again', () => {
    roundTrip(
      '<mj-column>\r\n  <mj-text>a</mj-text>\r\n</mj-column>',
      tree => named(tree, 'mj-text'),
      '<mj-column>\r\n  {% if member.vip == "a > b" %}\r\n  <mj-text>a</mj-text>\r\n  {% endif %}\r\n</mj-column>',
    )
    roundTrip(
      '<b>x</b><i>a</i>',
      tree => named(tree, 'i'),
      '<b>x</b>{% if member.vip == "a > b" %}<i>a</i>{% endif %}',
    )
  })

  it('are found and changed whatever their form', () => {
    const tree = treeOf('<div>{%- if a  -%}\n<p>x</p> {%endif%}</div>')
    expect(conditionOf(tree, named(tree, 'p'))).toMatchObject({ condition: 'a' })
    expect(after(tree, changeCondition(tree, named(tree, 'p'), 'b != 1'))).toBe(
      '<div>{%- if b != 1  -%}\n<p>x</p> {%endif%}</div>',
    )
  })

  it.each([
    '<p>x</p>',
    '{% if a %}<p>x</p><p>y</p>{% endif %}',
    '{% if a %}<p>x</p>{% else %}y{% endif %}',
    '{% unless a %}<p>x</p>{% endunless %}',
    '{% if a %}t <p>x</p>{% endif %}',
  ])('are not around the block alone in %s', source => {
    const tree = treeOf(source)
    expect(conditionOf(tree, named(tree, 'p'))).toBeNull()
    expect(() => unwrapCondition(tree, named(tree, 'p'))).toThrow('no condition')
  })

  it('are refused if they are none', () => {
    const tree = treeOf('<p>x</p>')
    for (const text of ['', ' ', 'a %} b', 'a {{ b }}'])
      expect(() => wrapInCondition(tree, named(tree, 'p'), text)).toThrow('is not a condition')
  })
})

describe('patches', () => {
  it('leave out what both texts have in common, but split no character', () => {
    expect(replaceRange('abc', 0, 3, 'abc')).toEqual([])
    expect(replaceRange('xabcy', 1, 4, 'aXc')).toEqual([{ from: 2, to: 3, insert: 'X' }])
    expect(replaceRange('aaa', 0, 3, 'aa')).toEqual([{ from: 2, to: 3, insert: '' }])
    expect(replaceRange('😀', 0, 2, '😁')).toEqual([{ from: 0, to: 2, insert: '😁' }])
    expect(replaceRange('a\r\nb', 0, 4, 'a\nb')).toEqual([{ from: 1, to: 3, insert: '\n' }])
  })

  it('do not overlap', () => {
    expect(() =>
      applyPatch('abc', [
        { from: 0, to: 2, insert: '' },
        { from: 1, to: 3, insert: '' },
      ]),
    ).toThrow(RangeError)
  })
})

describe('setCounted', () => {
  it.each([
    ['<mj-section>\n  <mj-column></mj-column></mj-section>', 'mj-section'],
    ['<table><tr><td>{{ member.city }}</td></tr></table>', 'table'],
    ['<div>Text</div>', 'div'],
    ['<div>{% if x %}<p>a</p>{% endif %}</div>', 'div'],
    ['<mj-wrapper></mj-wrapper>', 'mj-wrapper'],
  ])('marks %s, reads the mark back and removes it', (source, name) => {
    const tree = treeOf(source)
    expect(isCounted(tree, named(tree, name))).toBe(false)
    const marked = treeOf(after(tree, setCounted(tree, named(tree, name), true)))
    expect(isCounted(marked, named(marked, name))).toBe(true)
    expect(setCounted(marked, named(marked, name), true)).toEqual([])
    expect(after(marked, setCounted(marked, named(marked, name), false))).toBe(source)
  })

  it('leaves other elements, and marks of other sections, alone', () => {
    const tree = treeOf('<div><table>{% # counted %}<tr><td>a</td></tr></table></div><br/>')
    expect(isCounted(tree, named(tree, 'div'))).toBe(false)
    expect(isCounted(tree, named(tree, 'table'))).toBe(true)
    expect(canBeCounted(named(tree, 'td'))).toBe(false)
    expect(setCounted(tree, named(tree, 'br'), true)).toEqual([])
  })
})

describe('setCode', () => {
  const mjml =
    '<mjml><mj-body>\n<mj-raw><p>One</p></mj-raw>\n<mj-section><mj-column><mj-text>Two</mj-text></mj-column></mj-section>\n</mj-body></mjml>'
  const write = (source: string, name: string, code: string) => {
    const tree = treeOf(source)
    return after(tree, setCode(tree, named(tree, name), code))
  }

  it('replaces what is inside of an element', () => {
    expect(write(mjml, 'mj-raw', '<b>{{ member.name }}</b>')).toBe(
      mjml.replace('<p>One</p>', '<b>{{ member.name }}</b>'),
    )
    expect(write('<div><p>One</p></div><p>Two</p>', 'div', '<ul><li>A</li></ul>')).toBe(
      '<div><ul><li>A</li></ul></div><p>Two</p>',
    )
  })

  it.each([
    ['a comment', mjml, 'mj-raw', '<!-- open'],
    ['a tag without its end', mjml, 'mj-raw', '<a href="'],
    ['the end of its own element', mjml, 'mj-raw', 'x</mj-raw><mj-section></mj-section>'],
    ['the end of an element around it', '<div><p>One</p></div><p>Two</p>', 'p', 'x</p><p>y'],
    ['a comment in HTML', '<div><p>One</p></div><p>Two</p>', 'div', '<p>x</p><!--'],
  ])('refuses %s, which would reach beyond it', (_, source, name, code) => {
    const tree = treeOf(source)
    expect(() => setCode(tree, named(tree, name), code)).toThrow('does not end inside its block')
  })

  it('returns nothing for the same code', () => {
    const tree = treeOf(mjml)
    expect(setCode(tree, named(tree, 'mj-raw'), '<p>One</p>')).toEqual([])
  })
})
