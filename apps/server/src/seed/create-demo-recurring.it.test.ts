import { campaignState, campaignType } from '@emma/contract/campaign-states.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../logger.ts'
import { startTestApp, type TestApp } from '../test/app.ts'
import { createFirstContent } from './create-demo-content.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('a new installation has a recurring campaign with two runs and the next one in days', async () => {
  const { config, db, pool } = app
  const context = { config, db, pool, logger: createLogger('api', 'silent') }
  await createFirstContent(context)
  // The next start adds nothing.
  await createFirstContent(context)
  const token = await app.logInSuperadmin()
  const list = async (path: string) => (await app.call('GET', path, { token })).json.data
  const [recurring, ...others] = (await list('/recurring/?superadminview=true')) as Record<string, unknown>[]
  expect(others).toEqual([])
  expect(recurring).toMatchObject({ name: 'Coffee of the week', active: true })
  const ahead = Date.parse(String(recurring?.next_run)) - Date.now()
  expect(ahead / 86_400_000).toBeGreaterThan(5)
  expect(await list(`/recurring/${Number(recurring?.recurring_id)}/runs/`)).toMatchObject([
    { state: 'started', valid: campaignState.preparing, faults: [] },
    { state: 'started', valid: campaignState.preparing, faults: [] },
  ])
  const campaigns = (await list('/emma/campaign/?superadminview=true')) as Record<string, unknown>[]
  expect(campaigns.map(({ ctype }) => Number(ctype)).toSorted((one, other) => one - other)).toEqual([
    campaignType.regular,
    campaignType.recurring,
    campaignType.recurring,
  ])
})
