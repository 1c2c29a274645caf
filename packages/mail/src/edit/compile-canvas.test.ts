import { expect, test } from 'vitest'
import { renderSegments } from '../segments.ts'
import type { ContentSource } from '../template/content-source.ts'
import { ContentError } from '../template/template-error.ts'
import { compileCanvas } from './compile-canvas.ts'

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
