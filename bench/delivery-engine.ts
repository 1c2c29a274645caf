import { performance } from 'node:perf_hooks'
import { createPool, createDb } from '@emma/db/connection.ts'
import { testEngine } from '@emma/delivery/test/engine.ts'

/** Engine process of `bench/delivery.ts` and `bench/fairness.ts`: `node delivery-engine.ts DATABASE_URL SINK_PORT`. */
const [url = '', port = ''] = process.argv.slice(2)
const pool = createPool(url, { statementTimeout: 0 })
const engine = await testEngine({ pool, db: createDb(pool) }, Number(port))
const loopAtStart = performance.eventLoopUtilization()
process.once('message', () => void end())
process.on('disconnect', () => process.exit())
process.send?.('started')

async function end(): Promise<void> {
  await engine.stop()
  const { maxRSS } = process.resourceUsage()
  const loop = performance.eventLoopUtilization(loopAtStart).utilization
  process.send?.({ loop, rssMb: Math.round(maxRSS / 1024) })
  process.disconnect()
}
