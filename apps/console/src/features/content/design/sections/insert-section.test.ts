import { parseTemplate } from '@emma/mail/edit/parse-template.ts'
import { applyPatch } from '@emma/mail/edit/patch.ts'
import type { TemplateNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { expect, test } from 'vitest'
import english from '../../texts/en.json' with { type: 'json' }
import { insertSection } from './insert-section.ts'
import { columnRule, sectionHtml } from './section-html.ts'
import { sectionSource } from './sections.ts'

const section = sectionHtml(sectionSource('product', 'light', english.content.design.sample))
const single = sectionHtml(sectionSource('article', 'light', english.content.design.sample))

function treeOf(source: string): TemplateTree {
  const tree = parseTemplate(source, { format: 'html' })
  if (tree.type === 'code') throw new Error(tree.reason.message)
  return tree
}

function nodeWith(tree: TemplateTree, text: string): TemplateNode {
  const at = tree.source.indexOf(text)
  const found = tree.nodes.findLast(({ range }) => range.from <= at && range.to >= at + text.length)
  if (!found) throw new Error(`There is no ${text}`)
  return found
}

function inserted(source: string, text: string | null, added: string, styles?: readonly string[]): string {
  const tree = treeOf(source)
  return applyPatch(source, insertSection(tree, text === null ? null : nodeWith(tree, text), added, styles))
}

const columns = `<HTML><head>\r
  <title>News</title>\r
</head><body bgcolor=white>\r
  <table align=center><tr><td width=20>&nbsp;</td><td>\r
    <TABLE class='x'><tr><td>Left</td><td><p>Right &copy; 2026</p></td></tr></TABLE>\r
    <p>End</p>\r
  </td></tr></table>\r
</body></HTML>\r\n`

test('a section comes after the columns of the selected text, with its rule in the head; all other bytes stay', () => {
  const changed = inserted(columns, 'Right', section)
  const [head = '', body = ''] = changed.split('</head>')
  expect(head).toBe(`<HTML><head>\r\n  <title>News</title>\r\n  ${columnRule}\r\n`)
  const lines = `\r\n    ${section.replaceAll('\n', '\r\n')}`
  expect(body.replace(lines, '')).toBe(columns.split('</head>')[1])
  expect(body.indexOf('emma-section')).toBeGreaterThan(body.indexOf('</TABLE>'))
  expect(body.indexOf('emma-section')).toBeLessThan(body.indexOf('<p>End'))
})

test('the rule of columns is written once, and only for columns', () => {
  expect(inserted(columns, 'End', single)).not.toContain(columnRule)
  const twice = inserted(inserted(columns, 'End', section), 'End', section)
  expect(twice.split(columnRule)).toHaveLength(2)
  expect(twice.match(/class="emma-section"/g)).toHaveLength(2)
})

test('the styles of a block of MJML are written into the head, each once', () => {
  const styles = ['<style>.mj-column-per-50 {}</style>', '<style>.mj-column-per-33 {}</style>']
  const first = inserted(columns, 'End', '<p>First</p>', styles.slice(0, 1))
  const second = inserted(first, 'End', '<p>Second</p>', styles)
  const [head = ''] = second.split('</head>')
  for (const style of styles) expect(head.split(style)).toHaveLength(2)
  expect(second.split('<style>')).toHaveLength(3)
})

test('a section comes after the designed section of the selected text, not into it', () => {
  const first = inserted(columns, 'End', single)
  const second = inserted(first, 'Title of the section', '<p>Second</p>')
  expect(second.indexOf('Second')).toBeGreaterThan(second.indexOf('Learn more'))
  expect(
    treeOf(second).nodes.find(({ range }) => range.from === second.indexOf('<p>Second'))?.parent,
  ).toMatchObject({
    name: 'td',
  })
  expect(second.slice(0, second.indexOf('<p>Second'))).toMatch(/<\/table>\s*$/)
})

test.each([
  ['', single],
  ['<p>One</p>', `<p>One</p>\n${single}`],
  ['<p>One', `<p>One</p>\n${single}`],
])('a template without body gets a section at its end: %j', (source, expected) => {
  expect(inserted(source, null, single)).toBe(expected)
})

test('without a head, the rule stands before the section', () => {
  expect(inserted('', null, section)).toBe(`${columnRule}\n${section}`)
})
