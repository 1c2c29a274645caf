import { expect, test } from 'vitest'
import { renderSegments } from '../segments.ts'
import { compileContent } from '../template/compile-content.ts'
import type { ContentSource } from '../template/content-source.ts'
import { ContentError } from '../template/template-error.ts'
import { compileCanvas } from './compile-canvas.ts'
import { stripMarks } from './marks.ts'
import { markedRun, moduleAt } from './module-runs.ts'
import { parseTemplate } from './parse-template.ts'

function message(mjml: string): ContentSource {
  return {
    subject: '',
    preheader: '',
    html: '',
    mjml: `<mjml><mj-body><mj-section><mj-column>${mjml}</mj-column></mj-section></mj-body></mjml>`,
    text: '',
    modules: [],
    known: { member: [] },
    trackingBase: 'https://t.example',
    isTracked: false,
  }
}

test('canvas: errors tell their place in the source, not in its marked copy', async () => {
  const error = await compileCanvas(message('<mj-text>{{ member.a | nofilter }}</mj-text>')).catch(
    (one: unknown) => one,
  )
  if (!(error instanceof ContentError)) throw new Error('compiled')
  expect(error.errors[0]).toMatchObject({ line: 1, column: 48, fault: { code: 'content.filter_unknown' } })
})

test('canvas: a message that only its marks make too long is shown without them', async () => {
  const text = '<mj-text>x</mj-text>'
  const { html, marks } = await compileCanvas(message(text + `<!--${'x'.repeat(299_850)}-->`))
  expect(marks).toBeNull()
  expect(
    renderSegments(html, { member: {}, campaign: {}, client: {}, token: '', pageToken: '' }),
  ).not.toContain('emma-')
})

test('canvas: components of a synced block have the mark of its first place, and are sent without it', async () => {
  const footer = {
    name: 'footer',
    type: 'mjml' as const,
    body: {
      en: '<mj-section css-class="own"><mj-column><mj-text>One</mj-text></mj-column></mj-section>\n<mj-section mj-class="wide"><mj-column><mj-text>Two</mj-text></mj-column></mj-section>',
      de: '<mj-section><mj-column><mj-text>Eins</mj-text></mj-column></mj-section>',
    },
  }
  const source = {
    ...message(''),
    mjml:
      '<mjml><mj-head><mj-attributes><mj-class name="wide" css-class="full" /></mj-attributes></mj-head>' +
      '<mj-body><mj-section><mj-column><mj-text>A</mj-text></mj-column></mj-section>{{ module.footer }}{{ module.footer }}</mj-body></mjml>',
    modules: [footer],
  }
  const data = { member: {}, campaign: {}, client: {}, token: '', pageToken: '' }
  const { html, marks } = await compileCanvas(source)
  if (!marks) throw new Error('not marked')
  const shown = renderSegments(html, data)
  const tree = parseTemplate(source.mjml)
  if (tree.type === 'code') throw new Error('code')
  const runs = tree.nodes.filter(node => moduleAt(tree, node) === 'footer')
  const { index } = markedRun(tree, runs[1]!) ?? {}
  expect(index).toBe(runs[0]!.index)
  expect(shown.split(`class="own ${marks.prefix}${index}"`)).toHaveLength(3)
  expect(shown.split(`class="full ${marks.prefix}${index}"`)).toHaveLength(3)
  const sent = renderSegments((await compileContent({ ...source, text: '-' })).html, data)
  expect(stripMarks(shown, marks)).toBe(sent)
  const german = renderSegments((await compileCanvas({ ...source, language: 'de' })).html, data)
  expect(german).toContain(`class="${marks.prefix}${index}"`)
})
