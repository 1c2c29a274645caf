import { expect, test } from 'vitest'
import { fault } from './faults.ts'

test('R316 the message of a fault is its text with its values', () => {
  const reply = '421-4.3.2 $& {reply}\n421 4.3.2 come again'
  expect(fault('campaign.next_hop', { reply })).toEqual({
    code: 'campaign.next_hop',
    values: { reply },
    message: `The next hop of the mail class takes no mail; it is asked again and again. ${reply}`,
  })
  expect(fault('campaign.no_segment')).toEqual({
    code: 'campaign.no_segment',
    message: 'The campaign has no segment.',
  })
})

test('R316 faults as values are replaced by their messages, one per line', () => {
  const inner = fault('campaign.no_domain')
  const one = fault('campaign.content', { part: 'subject', line: 1, column: 2, fault: inner })
  expect(one.message).toBe('subject, line 1, column 2: The campaign has no domain.')
  expect(fault('campaign.contents', { faults: [one, inner] }).message).toBe(
    `${one.message}\n${inner.message}`,
  )
})
