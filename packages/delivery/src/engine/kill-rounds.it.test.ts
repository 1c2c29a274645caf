import { expect, test } from 'vitest'
import { runKillRounds } from '../test/kill-rounds.ts'

const ROUNDS = process.env['CI'] ? 40 : 12
const SEED = Number(process.env['EMMA_KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

test(`${ROUNDS} rounds of kills lose no recipient, send no duplicates, and leave only messages in flight unknown`, async () => {
  console.info(`EMMA_KILL_SEED=${SEED}`)
  const tally = await runKillRounds({ rounds: ROUNDS, seed: SEED, members: 1_000 })
  expect(tally).toMatchObject({
    rounds: ROUNDS,
    doubled: 0,
    skipped: 0,
    lost: 0,
    without_data: 0,
    unbounded: 0,
  })
  expect(tally.recipients).toBe(tally.campaigns * 1_000)
}, 600_000)
