import { runKillRounds } from '@emma/delivery/test/kill-rounds.ts'

/**
 * `npm run bench:soak -- ROUNDS [SEED]`: kills engines, receiver and database repeatedly, 1,000 rounds by default. The last
 * line is JSON. Exits with code 1 if a mail was lost, duplicated or skipped, or too many are unknown (docs/reliability.md).
 */
const [rounds = '1000', seed = String(Math.floor(Math.random() * 2 ** 31))] = process.argv.slice(2)
const start = performance.now()
const tally = await runKillRounds(
  { rounds: Number(rounds), seed: Number(seed), members: 3_000 },
  console.info,
)
const seconds = Math.round((performance.now() - start) / 1000)
console.info(JSON.stringify({ ...tally, seconds }))
if (tally.doubled + tally.skipped + tally.lost + tally.unbounded > 0) process.exitCode = 1
