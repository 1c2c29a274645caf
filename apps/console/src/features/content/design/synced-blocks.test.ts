import { parseTemplate } from '@emma/mail/edit/parse-template.ts'
import { applyPatch } from '@emma/mail/edit/patch.ts'
import type { TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { expect, test } from 'vitest'
import { detach, replaceBySynced, sectionSourceOf, tokenFor, tokensOf } from './synced-blocks.ts'

const section = '<mj-section>\r\n    <mj-column><mj-text>Imprint</mj-text></mj-column>\r\n  </mj-section>'
const mjml = `<mjml><mj-body>\r\n  ${section}\r\n  <!-- end -->\r\n</mj-body></mjml>`

function treeOf(source: string): TemplateTree {
  const tree = parseTemplate(source)
  if (tree.type === 'code') throw new Error(tree.reason.message)
  return tree
}

test('a section becomes a synced block, and detaching returns every byte', () => {
  const tree = treeOf(mjml)
  const text = tree.nodes.find(node => node.type === 'element' && node.name === 'mj-text') ?? null
  expect(sectionSourceOf(tree, text)).toBe(section)
  const synced = applyPatch(mjml, replaceBySynced(tree, text, 'footer'))
  expect(synced).toBe(mjml.replace(section, '{{ module.footer }}'))
  expect(tokensOf(treeOf(synced))).toEqual(['footer'])
  const block = { id: 1, name: 'Footer', token: 'footer', source: section.replaceAll('\r\n', '\n') }
  expect(applyPatch(synced, detach(treeOf(synced), block))).toBe(mjml)
})

test('in HTML the block around the selected text becomes a synced block, wherever it stands', () => {
  const block = '<TABLE class=x><tr><td>Imprint &amp; more</td></tr></table>'
  const html = `<body><div>\n  ${block}\n</div></body>`
  const tree = treeOf(html)
  const cell = tree.nodes.find(node => node.type === 'element' && node.name === 'td') ?? null
  expect(sectionSourceOf(tree, cell)).toBe(block)
  const synced = applyPatch(html, replaceBySynced(tree, cell, 'footer'))
  expect(synced).toBe(html.replace(block, '{{ module.footer }}'))
  expect(tokensOf(treeOf(synced))).toEqual(['footer'])
  expect(
    applyPatch(synced, detach(treeOf(synced), { id: 1, name: 'Footer', token: 'footer', source: block })),
  ).toBe(html)
})

test.each([
  ['Footer', 'footer'],
  ['Fußzeile für März 2026', 'fu_zeile_fur_marz_2026'],
  ['2026 {{ x }}', 'x'],
  ['…', 'block'],
])('the placeholder of %s is %s', (name, token) => {
  expect(tokenFor(name)).toBe(token)
})
