import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { createPool } from '@emma/db/connection.ts'
import { createTokenReader } from '@emma/mail/token-reader.ts'
import { createLogger } from '../logger.ts'
import type { HitStoreData } from './run-event-store.ts'
import { startHitStore } from './store-events.ts'

// Answering comes first. Elsewhere the priority would be that of the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

/** Stores hits on a thread of its own, with connections of its own. Ends when it is told to finish. */
const data: HitStoreData = workerData
const pool = createPool(data.databaseUrl, { max: 2, statementTimeout: 30_000, applicationName: 'emma hits' })
const load = new Int32Array(data.load)

/** Per cent of the time of the thread that answers. */
const BUSY = 70

const store = startHitStore({
  folder: data.folder,
  pool,
  readToken: createTokenReader(data.tokenKey),
  logger: createLogger('tracking', data.logLevel),
  isBusy: () => Atomics.load(load, 0) > BUSY,
})

parentPort?.once('message', () => void finish())

async function finish(): Promise<void> {
  await store.finish()
  await pool.end()
  parentPort?.close()
}
