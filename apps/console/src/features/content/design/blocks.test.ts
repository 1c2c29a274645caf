import { insert } from '@emma/mail/edit/blocks.ts'
import { parseTemplate } from '@emma/mail/edit/parse-template.ts'
import { applyPatch } from '@emma/mail/edit/patch.ts'
import type { TemplateNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { expect, test } from 'vitest'
import { type BlockName, blockNames, newBlock } from './blocks.ts'
import { landingFor } from './landing.ts'
import { outlineRows, textOf } from './outline-rows.ts'

const texts = { heading: 'A heading', text: 'A text', button: 'A button' }

const mjml = `<mjml>
  <mj-body>
    <mj-section background-color="#ffffff" padding="8px">
      <mj-column>
        <mj-text>One</mj-text>
        <mj-button href="https://a.test/">Two</mj-button>
      </mj-column>
      <mj-column></mj-column>
    </mj-section>
  </mj-body>
</mjml>
`

function treeOf(source: string): TemplateTree {
  const tree = parseTemplate(source)
  if (tree.type === 'code') throw new Error(tree.reason.message)
  return tree
}

function find(tree: TemplateTree, name: string): TemplateNode {
  const found = tree.nodes.find(node => node.type === 'element' && node.name === name)
  if (!found) throw new Error(`There is no ${name}`)
  return found
}

function added(tree: TemplateTree, selected: TemplateNode | null, name: BlockName): string {
  const block = newBlock(tree, selected, name, texts)
  return block ? applyPatch(tree.source, insert(tree, block.place, block.source)) : tree.source
}

test('a block is inserted after the selected one, on a line of its own', () => {
  const tree = treeOf(mjml)
  expect(added(tree, find(tree, 'mj-text'), 'divider')).toBe(
    mjml.replace(
      '<mj-text>One</mj-text>',
      '<mj-text>One</mj-text>\n        <mj-divider border-width="1px" border-color="#d4d4d8" />',
    ),
  )
})

test('columns come after the section of the selected block, with its background and padding', () => {
  const tree = treeOf(mjml)
  const changed = treeOf(added(tree, find(tree, 'mj-text'), 'columns_3'))
  const sections = changed.nodes.filter(node => node.type === 'element' && node.name === 'mj-section')
  expect(sections).toHaveLength(2)
  const { from, to } = sections[1]!.range
  const source = changed.source.slice(from, to)
  expect(source).toMatch(/^<mj-section background-color="#ffffff" padding="8px">/)
  expect(source.match(/<mj-column>/g)).toHaveLength(3)
})

test.each(blockNames)('%s can be added to MJML without selection, and to an empty mail', name => {
  for (const source of [mjml, '<mjml><mj-body></mj-body></mjml>']) {
    const tree = treeOf(source)
    const changed = treeOf(added(tree, null, name))
    expect(changed.nodes.length).toBeGreaterThan(tree.nodes.length)
    expect(
      changed.nodes.every(
        node =>
          (node.type === 'element' && node.close !== null) ||
          changed.source.slice(node.range.from, node.range.to).endsWith('/>'),
      ),
    ).toBe(true)
  }
})

test('in HTML a block follows the paragraph around the selected text', () => {
  const tree = treeOf('<body><table><tr><td><p>One <b>two</b></p></td></tr></table></body>')
  const text = tree.nodes.find(node => node.type === 'text') ?? null
  expect(added(tree, text, 'text')).toBe(
    '<body><table><tr><td><p>One <b>two</b></p><p>A text</p></td></tr></table></body>',
  )
})

test('a block lands beside others in a column or in an empty column, never inside of itself', () => {
  const tree = treeOf(mjml)
  const text = find(tree, 'mj-text')
  const button = find(tree, 'mj-button')
  const columns = tree.nodes.filter(node => node.type === 'element' && node.name === 'mj-column')
  expect(landingFor(tree, text, button, () => true)).toEqual({ side: 'after', node: button })
  expect(landingFor(tree, text, columns[1]!, () => false)).toEqual({ side: 'last', node: columns[1] })
  expect(landingFor(tree, columns[0]!, text, () => true)).toBeNull()
  expect(landingFor(tree, columns[1]!, text, () => false)).toEqual({ side: 'before', node: columns[0] })
})

test('the outline has the components of MJML, and the content of HTML without its layout tables', () => {
  const tree = treeOf(mjml)
  expect(
    outlineRows(tree).map(({ node, level }) => [
      level,
      node.type === 'element' && node.name,
      textOf(tree, node),
    ]),
  ).toEqual([
    [1, 'mj-body', ''],
    [2, 'mj-section', ''],
    [3, 'mj-column', ''],
    [4, 'mj-text', 'One'],
    [4, 'mj-button', 'Two'],
    [3, 'mj-column', ''],
  ])
  const html = treeOf('<table><tr><td><h1>Title</h1>Text <img src="a.png"></td></tr></table>')
  expect(outlineRows(html).map(({ node }) => (node.type === 'element' ? node.name : 'text'))).toEqual([
    'h1',
    'text',
    'img',
  ])
})

test('columns up to six, and HTML beside the sections', () => {
  const tree = treeOf(mjml)
  const columns = treeOf(added(tree, null, 'columns_6'))
  expect(columns.source.match(/<mj-column>/g)).toHaveLength(8)
  const html = treeOf(added(tree, find(tree, 'mj-text'), 'html'))
  expect(html.source).toMatch(/<\/mj-section>\s*<mj-raw>\s*<table[\s\S]*<\/mj-raw>\s*<\/mj-body>/)
  const after = treeOf(added(html, find(html, 'mj-raw'), 'section'))
  expect(after.source).toMatch(/<\/mj-raw>\s*<mj-section>/)
})
