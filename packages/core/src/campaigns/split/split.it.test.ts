import { campaign as resource } from '@emma/contract/resources/campaign.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileHere } from '../../content/compile-message.ts'
import { createTestTenant, SENDER, type TestTenant } from '../../test/tenant.ts'
import { systemActor } from '../../resource/actor.ts'
import { campaignOperations } from '../campaign-operations.ts'
import { checkCampaign } from '../check-campaign.ts'

let database: TestDatabase
let tenant: TestTenant

beforeAll(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(database.db, ['one@gmail.test', 'two@gmail.test'])
})
afterAll(() => database.drop())

const create = (split: Record<string, unknown> | null) => {
  const { clientId, listId, messageId, domainId, mailclassId } = tenant
  const input = {
    name: 'Test',
    list_id: listId,
    message_id: messageId,
    domain_id: domainId,
    mailclass_id: mailclassId,
    fromadr: `news@${SENDER}`,
    split: split && resource.fields.split.parse(split),
  }
  return campaignOperations.create(database.db, systemActor(clientId), clientId, input)
}

async function faultsOf(split: Record<string, unknown>): Promise<string[]> {
  try {
    await create(split)
    return []
  } catch (error) {
    if (!(error instanceof EmmaError)) throw error
    return (error.fields ?? []).map(({ field, code }) => `${field} ${code}`)
  }
}

describe('the settings of an A/B test', () => {
  it('name each fault by its field', async () => {
    expect(await faultsOf({ variants: [] })).toEqual(['split.variants field.too_few_items'])
    expect(await faultsOf({ variants: [{}, { subject: 'B' }, { subject: 'B' }] })).toEqual([
      'split.variants.0 field.same_variant',
      'split.variants.2 field.same_variant',
    ])
    expect(await faultsOf({ variants: [{ delay_minutes: 60 }] })).toEqual([
      'split.sample_percent field.whole_audience',
    ])
    expect(await faultsOf({ variants: [{ subject: 'B' }], winner_by: 'conversions' })).toEqual([
      'split.goal_list_id field.required',
    ])
  })

  it('refer to templates and segments of the same client and datasource', async () => {
    const other = await createTestTenant(database.db, [])
    expect(
      await faultsOf({ variants: [{ message_id: other.messageId }], goal_list_id: other.listId }),
    ).toEqual(['split.variants.0.message_id field.not_there', 'split.goal_list_id field.not_there'])
    expect(await faultsOf({ variants: [{ delay_minutes: 60 }], sample_percent: 100 })).toEqual([])
    expect(await faultsOf({ holdout_percent: 10, goal_list_id: tenant.listId })).toEqual([])
  })
})

it('the check names faults of a variant by its letter, and warns about a small sample', async () => {
  const campaign = await create({
    variants: [{ subject: 'B' }, { fromadr: 'ceo@elsewhere.example', subject: '{{ member.' }],
  })
  const { errors, warnings } = await checkCampaign(database.db, campaign, {
    compile: compileHere,
    countRecipients: async () => 2000,
    trackingBase: 'https://t.example',
    fetchFeed: () => Promise.reject(new Error('no feed')),
  })
  const ofSplit = errors.filter(({ field }) => field === 'split')
  expect(ofSplit).toHaveLength(2)
  expect(ofSplit.map(({ message }) => message).join(' ')).toMatch(
    /Variant C: The sender address must belong to/,
  )
  expect(ofSplit.every(({ message }) => message.startsWith('Variant C:'))).toBe(true)
  expect(warnings.filter(({ field }) => field === 'split')).toMatchObject([
    { code: 'small_sample', values: { members: 133 } },
  ])
})
