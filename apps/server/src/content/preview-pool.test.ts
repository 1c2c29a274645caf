import type { MergeData } from '@emma/mail/segments.ts'
import type { ContentSource } from '@emma/mail/template/content-source.ts'
import { ContentError } from '@emma/mail/template/template-error.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { PREVIEW_LIMITS } from '../network/limits.ts'
import { createPreviewPool } from './preview-pool.ts'

const content: ContentSource = {
  subject: 'Hello {{ member.firstname }}',
  preheader: '',
  html: '<p>{{ member.datejoin | date: "%Y" }}</p>',
  text: '',
  modules: [],
  known: { member: ['firstname', 'datejoin'] },
  trackingBase: 'https://t.example',
  isTracked: false,
}
const member = { firstname: 'Ann', datejoin: new Date('2026-01-15T09:00:00Z') }
const data: MergeData = { member, campaign: {}, client: {}, token: 'preview', pageToken: 'preview' }

describe('previews', () => {
  const pool = createPreviewPool()
  afterAll(() => pool.close())

  it('are compiled and rendered in a worker thread', async () => {
    const { subject, html } = await pool.preview(1, content, data)
    expect(subject).toBe('Hello Ann')
    expect(html).toContain('<p>2026</p>')
  })

  it('report the faults of a template', async () => {
    const faulty = pool.preview(1, { ...content, html: 'a\n{% if %}' }, data)
    await expect(faulty).rejects.toThrow(ContentError)
    await expect(faulty).rejects.toMatchObject({ errors: [{ part: 'html', line: 2 }] })
  })
})

describe('the preview threads', () => {
  const file = new URL('../test/preview-thread.ts', import.meta.url)
  const pool = createPreviewPool(file, {
    ...PREVIEW_LIMITS,
    timeoutMs: 1_500,
    threadMemoryBytes: 32 * 1_048_576,
  })
  const preview = (clientId: number, subject: string) => pool.preview(clientId, { ...content, subject }, data)
  afterAll(() => pool.close())

  it('stop a template that takes too long, and serve other clients meanwhile', async () => {
    await Promise.all([preview(1, 'start'), preview(2, 'start')])
    const finished: string[] = []
    const loops = [preview(1, 'loop'), preview(1, 'next').then(({ subject }) => finished.push(subject))]
    await preview(2, 'other').then(({ subject }) => finished.push(subject))
    await expect(loops[0]).rejects.toMatchObject({ code: 'too_large' })
    await loops[1]
    expect(finished).toEqual(['other', 'next'])
  })

  it('report busy to a client whose previews fill its queue', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: PREVIEW_LIMITS.waitingPerClient + 3 }, () => preview(3, 'many')),
    )
    const refused = answers.filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject([{ reason: { code: 'busy' } }, { reason: { code: 'busy' } }])
  })

  it('report busy, not too large, for a template that only waited', async () => {
    const impatient = createPreviewPool(file, { ...PREVIEW_LIMITS, total: 1, waitMs: 50, timeoutMs: 1_000 })
    const loop = impatient.preview(1, { ...content, subject: 'loop' }, data)
    const waiting = impatient.preview(2, { ...content, subject: 'waits' }, data)
    await expect(waiting).rejects.toMatchObject({ code: 'busy' })
    await expect(loop).rejects.toMatchObject({ code: 'too_large' })
    await expect(impatient.preview(2, { ...content, subject: 'later' }, data)).resolves.toMatchObject({
      subject: 'later',
    })
    await impatient.close()
  })
})
