import { EditError } from '@emma/mail/edit/edit-error.ts'
import { parseTemplate } from '@emma/mail/edit/parse-template.ts'
import { applyPatch, invertPatch } from '@emma/mail/edit/patch.ts'
import type { TemplateNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { expect, test } from 'vitest'
import { copyBlock, maxPasted, pasteBlock } from './paste-block.ts'

const mjml = [
  '<mjml><mj-body>',
  '  <mj-section><mj-column>',
  '    <mj-text>One</mj-text>',
  '    <mj-social><mj-social-element name="x" href="#"></mj-social-element></mj-social>',
  '  </mj-column></mj-section>',
  '</mj-body></mjml>',
].join('\r\n')
const html = '<body><table><tr><td><a href="#">Link</a></td></tr></table><ul><li>One</li></ul></body>'

function treeOf(source: string): TemplateTree {
  const tree = parseTemplate(source)
  if (tree.type === 'code') throw new Error(tree.reason.message)
  return tree
}

function find(tree: TemplateTree, name: string | null): TemplateNode | null {
  return tree.nodes.find(node => node.type === 'element' && node.name === name) ?? null
}

/** Pastes with an element selected, and checks that undo returns every byte. */
function paste(source: string, selected: string | null, clipboard: string): string {
  const tree = treeOf(source)
  const patches = pasteBlock(tree, find(tree, selected), clipboard)
  const changed = applyPatch(source, patches)
  expect(applyPatch(changed, invertPatch(source, patches))).toBe(source)
  return changed
}

function faultOf(source: string, clipboard: string, selected: string | null = null): string {
  try {
    paste(source, selected, clipboard)
  } catch (error) {
    if (error instanceof EditError) return error.fault.code
    throw error
  }
  return 'none'
}

test('R129 a copied block is its source, and is pasted after the selected one', () => {
  const tree = treeOf(mjml)
  const copied = copyBlock(tree, find(tree, 'mj-text')!)
  expect(copied).toBe('<mj-text>One</mj-text>')
  expect(paste(mjml, 'mj-text', copied)).toBe(mjml.replace(copied, `${copied}\r\n    ${copied}`))
})

test.each(['mj-text', 'mj-column', 'mj-section', null])(
  'R129 a section that is pasted with %s selected follows the section',
  selected => {
    const section = '<mj-section><mj-column></mj-column></mj-section>'
    const end = '</mj-column></mj-section>'
    expect(paste(mjml, selected, section)).toBe(mjml.replace(end, `${end}\r\n  ${section}`))
  },
)

test('R129 a column follows the column, or gets a section of its own', () => {
  const column = '<mj-column><mj-text>Two</mj-text></mj-column>'
  expect(paste(mjml, 'mj-text', column)).toContain(`</mj-column>${column}</mj-section>`)
  expect(paste('<mjml><mj-body></mj-body></mjml>', null, column)).toBe(
    `<mjml><mj-body><mj-section>\n  ${column}\n</mj-section></mj-body></mjml>`,
  )
})

test('R129 a part of a component is pasted into such a component only', () => {
  const part = '<mj-social-element name="web" href="#"></mj-social-element>'
  expect(paste(mjml, 'mj-social', part)).toContain(`${part}</mj-social>`)
  expect(faultOf(mjml, part, 'mj-text')).toBe('content.paste_place')
})

test('R129 plain text becomes a text block, with its placeholders', () => {
  const text = 'Ham & eggs\nfor {{ member.firstname | default: "you" }}, 1 < 2'
  const source = 'Ham &amp; eggs<br />\nfor {{ member.firstname | default: "you" }}, 1 &lt; 2'
  expect(paste(mjml, 'mj-text', text)).toContain(`<mj-text>${source.replace('\n', '\r\n')}</mj-text>`)
  expect(paste(html, 'li', text)).toContain(`One<p>${source}</p></li>`)
})

test('R129 a synced block is pasted as one, after the section of the selected block', () => {
  expect(paste(mjml, 'mj-text', '{{ module.footer }}')).toMatch(/<\/mj-section>\s*\{\{ module\.footer }}/)
})

test('R129 HTML is pasted where it can be', () => {
  expect(paste(html, 'td', '<tr><td>2</td></tr>')).toContain('</tr><tr><td>2</td></tr></table>')
  expect(paste(html, 'ul', '<li>Two</li>')).toContain('<li>One</li><li>Two</li></ul>')
  expect(paste(html, 'a', '<a href="/2">2</a>')).toContain('Link</a><a href="/2">2</a></td>')
  expect(paste(html, 'a', '<p>2</p>')).toContain('Link</a><p>2</p></td>')
  expect(paste(html, null, '<p>2</p>')).toContain('</ul><p>2</p></body>')
})

test.each([
  [mjml, ' \n ', 'content.paste_none'],
  [html, '<!-- nothing -->', 'content.paste_none'],
  [mjml, '{% if member.vip %}<mj-text>x</mj-text>', 'content.edit_part'],
  [mjml, 'Hello {% if member.vip %}', 'content.edit_part'],
  [mjml, 'x'.repeat(maxPasted + 1), 'content.paste_long'],
  [mjml, '<mjml><mj-body></mj-body></mjml>', 'content.paste_place'],
  [mjml, '<mj-text>1</mj-text><mj-section></mj-section>', 'content.paste_place'],
  [html, '<mj-text>1</mj-text>', 'content.paste_place'],
  [html, '<html><body>x</body></html>', 'content.paste_place'],
  [html, '<td>1</td>', 'content.paste_place'],
  [html, '<p>1</p><li>1</li>', 'content.paste_place'],
])('R129 what has no place in a template is not pasted: %#', (source, clipboard, code) => {
  expect(faultOf(source, clipboard)).toBe(code)
})
