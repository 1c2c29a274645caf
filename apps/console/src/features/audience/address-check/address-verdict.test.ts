import { expect, test } from 'vitest'
import { type AddressCheck, verdictOf } from './address-verdict.ts'

const nothing: AddressCheck = {
  email: 'anna@example.test',
  members: [],
  entries: [],
  paused_until: null,
  frequency: 'all',
  mails: [],
}
const member = (datasource: string, reason: AddressCheck['members'][number]['reason']) => ({
  member_table_id: 1,
  datasource,
  member_id: 1,
  reason,
  datejoin: null,
  dateunjoin: null,
  hardbounced_at: null,
  complained_at: null,
  softbounce_count: 0,
  doi_state: 'none',
})
const entry = (kind: AddressCheck['entries'][number]['kind'], in_force: boolean) => ({
  kind,
  blacklist_id: null,
  name: null,
  match: 'email',
  value: 'anna@example.test',
  reason: null,
  source: null,
  added_by: null,
  created_at: '2026-01-01T00:00:00Z',
  expires_at: null,
  in_force,
})

test.each([
  ['in no datasource', {}, { kind: 'nowhere', datasources: [] }],
  ['unsubscribed everywhere', { members: [member('News', 'unsubscribed')] }, { kind: 'stopped' }],
  [
    'unsubscribed in one of two',
    { members: [member('News', 'unsubscribed'), member('Shop', null)] },
    { kind: 'may', datasources: ['Shop'] },
  ],
  [
    'on the client’s list',
    { members: [member('News', null)], entries: [entry('client', true)] },
    { kind: 'suppressed' },
  ],
  [
    'with an exception or an expired entry',
    { members: [member('News', null)], entries: [entry('internal', false), entry('client', false)] },
    { kind: 'may' },
  ],
  [
    'on the list of some campaigns',
    { members: [member('News', null)], entries: [entry('campaign', true)] },
    { kind: 'may' },
  ],
  [
    'with a pause',
    { members: [member('News', null)], paused_until: '2030-01-01T00:00:00Z' },
    { kind: 'paused', datasources: ['News'] },
  ],
] as const)('an address %s', (_, found, verdict) => {
  const { members, entries } = { members: [], entries: [], ...found }
  expect(verdictOf({ ...nothing, ...found, members: [...members], entries: [...entries] })).toMatchObject(
    verdict,
  )
})
