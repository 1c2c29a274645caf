import { expect, it } from 'vitest'
import { feedbackId } from './feedback-id.ts'

it.each([
  ['shop.example', /^shop\.example$/],
  ['news.shop.example', /^news\.sho-[0-9a-f]{6}$/],
  ['a.de', /^a\.de-[0-9a-f]{6}$/],
])('identifies %s in 5 to 15 characters', (domain, wanted) => {
  const [campaign, client, mailclass, sender = '', ...rest] = feedbackId({
    campaignId: 4,
    clientId: 4,
    mailclass: 'Große: Mails',
    domain,
  }).split(':')
  expect([campaign, client, mailclass, rest]).toEqual(['campaign-4', 'client-4', 'Gro_e__Mails', []])
  expect(sender).toMatch(wanted)
  expect(sender.length).toBeLessThanOrEqual(15)
})

it('distinguishes long domains', () => {
  const [one, two] = ['news.shop-one.example', 'news.shop-two.example'].map(domain =>
    feedbackId({ campaignId: 1, clientId: 1, mailclass: 'm', domain }),
  )
  expect(one).not.toBe(two)
})
