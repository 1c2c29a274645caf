import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestAudience, type TestAudience } from '../test/audience.ts'
import { presetOperations } from './preset-operations.ts'

let audience: TestAudience
beforeAll(async () => {
  audience = await createTestAudience()
})
afterAll(() => audience.database.drop())

const partly = { whole: false, revision: null }

function add(name: string, is_default: boolean) {
  const { database, actor, clientId } = audience
  return presetOperations.create(database.db, actor, clientId, { name, values: { throttle: 9 }, is_default })
}

test('R260 a client has one default preset at most, whatever is created, changed, deleted and restored', async () => {
  const { database, actor, clientId } = audience
  const scope = { clientIds: [clientId] }
  const defaults = async () => {
    const rows = await database.db
      .selectFrom('campaign_preset')
      .select('preset_id')
      .where('is_default', '=', true)
      .where('deleted_at', 'is', null)
      .execute()
    return rows.map(row => row.preset_id)
  }
  const [first, second] = [await add('First', true), await add('Second', true)]
  expect(await defaults()).toEqual([second.preset_id])

  await presetOperations.patch(database.db, actor, scope, first.preset_id, { is_default: true }, partly)
  expect(await defaults()).toEqual([first.preset_id])

  await presetOperations.remove(database.db, actor, scope, first.preset_id, partly)
  expect(await defaults()).toEqual([])
  const third = await add('Third', true)
  await presetOperations.restore(database.db, actor, scope, first.preset_id)
  expect(await defaults()).toEqual([third.preset_id])

  await Promise.all(Array.from({ length: 4 }, (_, at) => add(`At once ${at}`, true)))
  expect(await defaults()).toHaveLength(1)
})
