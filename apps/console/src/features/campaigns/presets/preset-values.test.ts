import { initialValues } from '@emma/contract/resource-schemas.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { expect, test } from 'vitest'
import { valuesForPreset, valuesFromPreset } from './preset-values.ts'

const blank = initialValues(campaign)

test('R260 a preset holds the settings that somebody chose, not name, template, subject or start', () => {
  const values = {
    ...blank,
    name: 'Autumn',
    message_id: 7,
    subject: 'Hello',
    startdate: '2027-01-01T10:00:00.000Z',
    list_id: 3,
    fromadr: 'news@example.com',
    reply_to: '',
    throttle: 500,
  }
  expect(valuesForPreset(values)).toEqual({ list_id: 3, fromadr: 'news@example.com', throttle: 500 })
})

test('R260 a preset never replaces what was typed', () => {
  const preset = { list_id: 3, fromadr: 'news@example.com', throttle: 500, blacklist_ids: [4] }
  const typed = { ...blank, fromadr: 'me@example.com', blacklist_ids: [9] }
  expect(valuesFromPreset(preset, typed)).toEqual({ list_id: 3, throttle: 500 })
  expect(valuesFromPreset(preset, { ...blank, fromadr: '' })).toEqual(preset)
})
