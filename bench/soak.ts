import { runKillRounds } from '@emma/delivery/test/kill-rounds.ts'

/**
 * Kills engines, receiver and database again and again: `npm run bench:soak -- ROUNDS [SEED]`, 1,000 rounds unless told
 * otherwise. The last line is JSON; ends with 1 when a mail was lost, doubled or skipped (docs/reliability.md).
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
