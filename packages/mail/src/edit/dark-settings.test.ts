import { describe, expect, it } from 'vitest'
import { darkSetting, setDarkSetting } from './dark-settings.ts'
import { parseTemplate } from './parse-template.ts'
import { applyPatch } from './patch.ts'
import type { ElementNode, TemplateTree } from './template-tree.ts'

function treeOf(source: string): TemplateTree {
  const tree = parseTemplate(source)
  if (tree.type === 'code') throw new Error('code only')
  return tree
}

function element(tree: TemplateTree, name: string): ElementNode {
  const node = tree.nodes.find(one => one.type === 'element' && one.name === name)
  if (node?.type !== 'element') throw new Error(`no ${name}`)
  return node
}

const mjml = (attributes: string, head = '') =>
  `<mjml><mj-head>${head}</mj-head><mj-body><mj-section${attributes}><mj-column></mj-column></mj-section></mj-body></mjml>`

describe('setDarkSetting', () => {
  it.each([
    ['mj-section', mjml(''), ' css-class="emma-dark-block-111111"'],
    ['mj-section', mjml(" css-class='a  b'"), " css-class='a  b emma-dark-block-111111'"],
    ['p', '<p>x</p>', ' class="emma-dark-bg-111111"'],
    ['p', '<p class=a>x</p>', ' class="a emma-dark-bg-111111"'],
    [
      'mj-section',
      mjml('', '<mj-attributes><mj-section css-class="d" /></mj-attributes>'),
      ' css-class="d emma-dark-block-111111"',
    ],
  ])('%s of %s', (name, source, written) => {
    const tree = treeOf(source)
    const nodeOf = (of: TemplateTree) =>
      of.nodes.findLast(one => one.type === 'element' && one.name === name) as ElementNode
    const changed = treeOf(applyPatch(source, setDarkSetting(tree, nodeOf(tree), 'background', '#111')))
    expect(changed.source).toContain(written)
    expect(darkSetting(changed, nodeOf(changed), 'background')).toBe('#111111')
    const other = treeOf(
      applyPatch(changed.source, setDarkSetting(changed, nodeOf(changed), 'background', '#222222')),
    )
    expect(other.source).toBe(changed.source.replace('111111', '222222'))
    const back = applyPatch(changed.source, setDarkSetting(changed, nodeOf(changed), 'background', null))
    expect(back).toBe(source === '<p class=a>x</p>' ? '<p class="a">x</p>' : source)
  })

  it('keeps other settings and Liquid, and leaves what is no color', () => {
    const tree = treeOf('<img class="{% if member.a %}x y{% endif %} emma-dark-text-ffffff" src="x">')
    const node = element(tree, 'img')
    const url = 'https://a.example/n.png?a=1&b=2'
    const changed = treeOf(applyPatch(tree.source, setDarkSetting(tree, node, 'image', url)))
    expect(changed.source).toBe(
      `<img class="{% if member.a %}x y{% endif %} emma-dark-text-ffffff emma-dark-image:${url}" src="x">`,
    )
    expect(darkSetting(changed, element(changed, 'img'), 'image')).toBe(url)
    expect(setDarkSetting(tree, node, 'background', '#1')).toEqual([])
  })
})
