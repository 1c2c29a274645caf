import { describe, expect, it } from 'vitest'
import { compileContent } from './compile-content.ts'
import { renderPreview } from './preview.ts'

const source = {
  subject: 'Hi {{ member.firstname }}',
  preheader: '',
  html: '<p>Imprint {{ member.firstname }} {{ member.city | default: "your town" }} {{ campaign.name }}</p><a href="{{ link.unsubscribe }}">u</a>',
  text: '',
  modules: [],
  known: { member: ['firstname', 'city'] },
  trackingBase: 'https://t.example',
  isTracked: false,
}

describe('renderPreview', () => {
  it('shows all parts, and the values that are empty for this recipient', async () => {
    const compiled = await compileContent(source)
    const preview = renderPreview(compiled, {
      member: { firstname: ' ', city: null },
      campaign: { name: 'Spring' },
      client: {},
      token: 'T',
      pageToken: 'T',
    })
    expect(preview.html).toBe('<p>Imprint   your town Spring</p><a href="https://t.example/u/T">u</a>')
    expect(preview.text).toContain('your town Spring')
    expect(preview.warnings).toEqual([
      {
        code: 'empty-value',
        severity: 'warning',
        part: 'html',
        reason: 'content.empty_value',
        values: { path: 'member.firstname', example: '{{ member.firstname | default: "…" }}' },
        message:
          'member.firstname is empty for this recipient. A default can stand in: {{ member.firstname | default: "…" }}.',
      },
    ])
  })

  it('reports a part that cannot be rendered, and shows the others', async () => {
    const compiled = await compileContent({
      ...source,
      subject:
        '{% for i in (1..999) %}{% for j in (1..999) %}{% for k in (1..999) %}x{% endfor %}{% endfor %}{% endfor %}',
    })
    const preview = renderPreview(compiled, {
      member: { firstname: 'Ada' },
      campaign: {},
      client: {},
      token: 'T',
      pageToken: 'T',
    })
    expect(preview.subject).toBe('')
    expect(preview.html).toContain('Ada')
    expect(preview.warnings).toMatchObject([{ severity: 'error', part: 'subject' }])
  })
})
