import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { renderCanvas, renderSent, renderUnmarked } from '../test/compile-both.ts'
import { findForeignChange, writeTree } from '../test/edit-checks.ts'
import { randomEdit, seededRandom } from '../test/random-edit.ts'
import { setContent } from './blocks.ts'
import { type MarkedTemplate, markTemplate } from './mark-template.ts'
import { stripMarks } from './marks.ts'
import { parseTemplate } from './parse-template.ts'
import { applyPatch, invertPatch } from './patch.ts'
import type { TemplateNode, TemplateTree } from './template-tree.ts'

/** Templates with every form that must survive, and real ones of other programs where these are available. */
const folders = ['../../fixtures/edit/', '../../../../../shared/data/templates/'].map(path =>
  fileURLToPath(new URL(path, import.meta.url)),
)
const templates = folders
  .filter(existsSync)
  .flatMap(folder => globSync(`${folder}*.{mjml,html}`).toSorted())
  .map(path => ({ name: basename(path), source: readFileSync(path, 'utf8') }))
const windows = templates.slice(0, 4).map(({ name, source }) => ({
  name: `${name} with Windows line ends`,
  source: `\ufeff${source.replaceAll('\n', '\r\n')}`,
}))

function treeOf(source: string): TemplateTree {
  const tree = parseTemplate(source)
  if (tree.type === 'code') throw new Error(tree.reason.message)
  return tree
}

describe.each([...templates, ...windows])('$name', ({ source }) => {
  const tree = treeOf(source)

  it('is described by its tree without a gap', () => {
    expect(writeTree(tree)).toBe(source)
  })

  it('changes at the node of an edit alone, and back byte for byte', () => {
    const random = seededRandom(1)
    let before = tree
    for (let round = 0; round < 25; round++) {
      const edit = randomEdit(before, random)
      if (!edit) break
      const changed = applyPatch(before.source, edit.patches)
      const after = parseTemplate(changed, { previous: before, patches: edit.patches })
      if (after.type === 'code') throw new Error(after.reason.message)
      expect({ edit, change: findForeignChange(before, edit, after) }).toMatchObject({ change: null })
      expect(applyPatch(changed, invertPatch(before.source, edit.patches))).toBe(before.source)
      before = after
    }
  })

  it('is shown in the canvas as it is sent', async () => {
    const sent = await renderSent(source, tree.format)
    expect(await renderUnmarked(source, tree.format)).toEqual(sent)
  })

  it('differs in one block after an edit of its text', async () => {
    const { prefix } = markTemplate(tree).marks
    const before = await renderCanvas(source, tree.format)
    const node = tree.nodes.find(isShownText)
    if (!node || 'faults' in before) return expect(before).toHaveProperty('faults')
    const content = contentOf(tree, node)
    const changed = applyPatch(
      source,
      setContent(tree, node, `${content.trimEnd()} changed${content.slice(content.trimEnd().length)}`),
    )
    const after = await renderCanvas(changed, tree.format)
    if ('faults' in after) throw new Error(after.faults)
    const [a, b] = [before, after].map(({ html }) => markedParts(html, prefix, node))
    expect(b?.block).not.toBe(a?.block)
    expect(b).toMatchObject({ start: a?.start, end: a?.end })
  })
})

function isShownText(node: TemplateNode): boolean {
  return node.type === 'text' || (node.name === 'mj-text' && node.parent?.name !== 'mj-attributes')
}

function contentOf({ source }: TemplateTree, node: TemplateNode): string {
  const range = node.type === 'text' ? node.range : node.content
  return range ? source.slice(range.from, range.to) : ''
}

/** Splits a canvas at the element of a node; a text is in the element of its parent. */
function markedParts(html: string, prefix: string, node: TemplateNode) {
  const { index } = node.type === 'text' ? (node.parent ?? node) : node
  const tree = treeOf(html)
  const element = tree.nodes.find(
    one =>
      one.type === 'element' &&
      new RegExp(`(?: |")${prefix}${index}"|data-${prefix}node="${index}"`).test(
        html.slice(one.open.from, one.open.to),
      ),
  )
  const { from, to } = element?.range ?? { from: 0, to: html.length }
  return { start: html.slice(0, from), block: html.slice(from, to), end: html.slice(to) }
}

function marked(source: string): MarkedTemplate {
  return markTemplate(treeOf(source))
}

describe('markTemplate', () => {
  it('marks components by a class beside those that they have', () => {
    const { source } = marked(
      `<mjml><mj-head><mj-attributes><mj-text css-class="t" /><mj-class name="a" css-class="c"/></mj-attributes></mj-head><mj-body><mj-text>x</mj-text><mj-text css-class='o'/><mj-text css-class=""/><mj-text mj-class="a"/><mj-raw> <b>x</b> </mj-raw></mj-body></mjml>`,
    )
    expect(source.slice(source.indexOf('<mj-body'))).toBe(
      `<mj-body css-class="emma-5"><mj-text css-class="t emma-6">x</mj-text><mj-text css-class='o emma-7'/><mj-text css-class="emma-8e"/><mj-text css-class="c emma-9" mj-class="a"/><mj-raw> <!--emma-10--><b>x</b><!--/emma-10--> </mj-raw></mj-body></mjml>`,
    )
  })

  it('marks visible elements of HTML by an attribute', () => {
    expect(
      marked('<html><head><title>t</title></head><body><p {% if a %}x{% endif %}>y<br/></p></body></html>')
        .source,
    ).toBe(
      '<html><head><title>t</title></head><body data-emma-node="3"><p data-emma-node="4" {% if a %}x{% endif %}>y<br data-emma-node="6"/></p></body></html>',
    )
  })

  it('uses marks that the template does not have', () => {
    const { source, marks } = marked('<p class="emma-1">emma-2</p>')
    expect(source).toBe('<p data-emmax-node="0" class="emma-1">emma-2</p>')
    expect(stripMarks(source, marks)).toBe('<p class="emma-1">emma-2</p>')
  })
})
