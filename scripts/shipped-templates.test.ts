import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { builtInStarters } from '../apps/console/src/features/content/templates/built-in-starters.ts'
import { sampleMessages } from '../apps/server/src/seed/sample-messages.ts'
import { renderTest, testSnapshot } from '../packages/delivery/src/test/sample-mail.ts'
import { findMailFaults } from '../packages/mail/src/test/strict-mail.ts'
import { hasSpamAssassin, spamScores } from '../packages/testbed/src/test/spam-score.ts'

/** A shipped template, as the engine sends it. */

interface Shipped {
  subject: string
  preheader?: string | null
  body_mjml?: string | null
  body_long?: string | null
}

const { newsletter, welcome } = sampleMessages
const TEMPLATES: [string, Shipped][] = [
  ['newsletter of a fresh installation', newsletter],
  ['welcome mail of a fresh installation', welcome],
  ...builtInStarters.map(({ id, start }): [string, Shipped] => [`starter ${id}`, start]),
]

const IMPRINT = 'Northwind Coffee GmbH, Speicherstraße 12, 20457 Hamburg'
const PEOPLE = [
  { member_id: 1, firstname: 'Jörg', lastname: 'Käfer', city: 'Berlin', points: 120 },
  { member_id: 2 },
] as const

function render(template: Shipped, person: Record<string, unknown>) {
  const snapshot = testSnapshot({
    message: {
      subject: template.subject || 'A headline',
      preheader: template.preheader ?? '',
      mjml: template.body_mjml ?? '',
      html: template.body_long ?? '',
    },
    client: { name: 'Northwind Coffee' },
    sender: { name: 'Northwind Coffee' },
    modules: [{ name: 'imprint', type: 'text', body: { en: IMPRINT } }],
    columns: ['member_id', 'firstname', 'lastname', 'city', 'points'],
  })
  return renderTest(snapshot, person)
}

describe.each(TEMPLATES)('%s', (_, template) => {
  test.each(PEOPLE)(
    'is a valid message with an unsubscribe link and an imprint in both parts',
    async person => {
      const { raw } = await render(template, person)
      expect(findMailFaults(raw)).toEqual([])
      const { html = '', text = '', headers } = await PostalMime.parse(raw)
      for (const part of [html, text]) {
        expect(part).toContain(IMPRINT)
        expect(part).toMatch(/https:\/\/t\.sender\.test\/u\/[\w-]+/)
      }
      expect(headers.map(({ key }) => key)).toContain('list-unsubscribe-post')
    },
  )

  test('has no two links with the same text', async () => {
    const { html = '' } = await PostalMime.parse((await render(template, PEOPLE[0])).raw)
    const words = [...html.matchAll(/<a\s[^>]*>(.*?)<\/a>/gs)].map(([, content = '']) =>
      content.replaceAll(/<[^>]+>/g, '').trim(),
    )
    expect(words.length).toBeGreaterThan(1)
    expect(words.toSorted()).toEqual([...new Set(words)].toSorted())
  })
})

test.skipIf(!hasSpamAssassin)(
  'SpamAssassin gives every shipped template less than 1',
  { timeout: 60_000 },
  async () => {
    const mails = await Promise.all(TEMPLATES.map(([, template]) => render(template, PEOPLE[0])))
    const scores = spamScores(mails.map(({ raw }) => raw))
    const tooHigh = scores
      .map((one, index) => ({ ...one, name: TEMPLATES[index]?.[0] }))
      .filter(one => one.score >= 1)
    expect(tooHigh).toEqual([])
  },
)

test.skipIf(!hasSpamAssassin)('SpamAssassin is available and detects spam', { timeout: 60_000 }, () => {
  // Test pattern that every SpamAssassin detects.
  const gtube = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'
  const [spam] = spamScores([Buffer.from(`From: a@sender.test\r\nSubject: x\r\n\r\n${gtube}\r\n`)])
  expect(spam?.score).toBeGreaterThan(900)
})
