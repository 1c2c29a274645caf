import { expect, test } from 'vitest'
import { growthOf, MAX_GROWTH } from '../test/growth.ts'
import { readHighlights } from './read-highlights.ts'
import { suggestSubjects as suggestFrom } from './suggest-subjects.ts'

const suggestSubjects = (source: string, request: Parameters<typeof suggestFrom>[1]) =>
  suggestFrom(readHighlights(source), request)

const mjml = `<mjml><mj-head><mj-title>Ignored</mj-title></mj-head><mj-body><mj-section><mj-column>
  <mj-text font-size="12px">View in browser</mj-text>
  <mj-text font-size="28px">Coffee from the <b>north</b></mj-text>
  <mj-text>Hello {{ member.firstname }}, how are you? Our roastery opens its doors. All coffee is 20 % off until Sunday.</mj-text>
  <mj-text font-size="20px">Meet the roasters</mj-text>
  <mj-button href="https://example.com/">Book a tour</mj-button>
</mj-column></mj-section></mj-body></mjml>`

test('headlines are told by their size, buttons and sentences with them; placeholders are left out', () => {
  expect(readHighlights(mjml)).toEqual({
    headlines: ['Coffee from the north', 'Meet the roasters'],
    sentences: ['View in browser', 'Our roastery opens its doors.', 'All coffee is 20 % off until Sunday.'],
    buttons: ['Book a tour'],
  })
  const html = `<style>p{}</style><div style="display:none">Preheader</div><td style="font-size:24px">Big&nbsp;news</td>
    <a style="padding:8px;background:#000">Go</a><h2>Second</h2>`
  expect(readHighlights(html)).toMatchObject({ headlines: ['Second', 'Big news'], buttons: ['Go'] })
})

test('R183 subjects are made of headline, offer, deadline and button, with another text as preheader', () => {
  const found = suggestSubjects(mjml, { lang: 'en', tone: 'neutral', count: 20 })
  expect(found.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining([
      'Coffee from the north',
      '20 %: Coffee from the north',
      'Coffee from the north – until Sunday',
      'Coffee from the north – Book a tour',
      'New: Coffee from the north',
    ]),
  )
  for (const { subject, preheader, score } of found) {
    expect(subject).not.toContain('{{')
    expect(subject).not.toContain(preheader)
    expect(score).toBeGreaterThanOrEqual(0)
    expect(score).toBeLessThanOrEqual(100)
  }
  expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).toSorted((a, b) => b - a))
})

test.each([
  ['en', 'urgent', 'Last chance: Kaffee'],
  ['de', 'friendly', 'Für Sie: Kaffee'],
  ['de', 'urgent', 'Letzte Chance: Kaffee'],
  ['es', 'friendly', 'Para usted: Kaffee'],
] as const)('R183 the %s tone %s is used', (lang, tone, subject) => {
  const found = suggestSubjects('<h1>Kaffee</h1>', { lang, tone, count: 3 })
  expect(found.map(one => one.subject)).toContain(subject)
})

test('a mail without words has no suggestions; one without headlines is read by its first sentence', () => {
  expect(
    suggestSubjects('<p>{{ member.email }}</p><img>', { lang: 'en', tone: 'neutral', count: 5 }),
  ).toEqual([])
  const [best] = suggestSubjects('<p>We move to a new place. See you there.</p>', {
    lang: 'en',
    tone: 'neutral',
    count: 5,
  })
  expect(best?.subject).toContain('We move to a new place')
})

test.each([
  ['deep nesting', '<b>'],
  ['unclosed quotes', '<a style="'],
  ['one long word', 'a'],
  ['digits', '1,'],
  ['capitals', 'until '],
  ['spaces', ' '],
  ['many blocks', '<p>Coffee is good today.</p>'],
])('%s are read in linear time', (_, piece) => {
  const suggest = (size: number) =>
    suggestSubjects(`<p>a${piece.repeat(size / piece.length)}b</p>`, {
      lang: 'en',
      tone: 'neutral',
      count: 5,
    })
  expect(growthOf(suggest)).toBeLessThan(MAX_GROWTH)
})
