import { describe, expect, it } from 'vitest'
import { compileContent } from '../template/compile-content.ts'
import { trackMessage, untrackMessage } from './track-message.ts'

const message = {
  subject: 's',
  preheader: '',
  html: '',
  mjml: '<mjml><mj-body><mj-section><mj-column><mj-button href="https://a.example">A</mj-button><mj-text>{{ module.more }}</mj-text></mj-column></mj-section></mj-body></mjml>',
  text: '',
  modules: [{ name: 'more', type: 'html', body: '<a href="https://b.example">B</a>' } as const],
  known: { member: [] },
  trackingBase: 'https://t.example',
}

describe('trackMessage', () => {
  it('R202 numbers the links as the campaign compiler does', async () => {
    const tracking = await trackMessage(message)
    expect(tracking).toEqual({
      is_tracked: true,
      urls: [
        { index: 0, name: 'A', url: 'https://a.example', is_active: true },
        { index: 1, name: 'B', url: 'https://b.example', is_active: true },
      ],
    })
    expect((await compileContent({ ...message, isTracked: true, links: tracking.urls })).links).toEqual(
      tracking.urls,
    )
  })

  it('preserves edits of the rows', async () => {
    const links = [{ name: 'The button', url: 'https://a.example', is_active: false }]
    expect((await trackMessage({ ...message, links })).urls[0]).toEqual({ index: 0, ...links[0] })
  })
})

describe('untrackMessage', () => {
  it('R203 removes all rows', () => {
    expect(untrackMessage()).toEqual({ is_tracked: false, urls: [] })
  })
})
