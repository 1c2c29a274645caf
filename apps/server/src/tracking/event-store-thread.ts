import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { createPool } from '@emma/db/connection.ts'
import { createTokenReader } from '@emma/mail/token-reader.ts'
import { createLogger } from '../logger.ts'
import type { EventStoreData } from './run-event-store.ts'
import { startEventStore } from './store-events.ts'

// Responses take precedence. On other systems the priority would apply to the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

/** Stores tracking events in a worker thread with its own connections. Ends on request. */
const data: EventStoreData = workerData
const pool = createPool(data.databaseUrl, { max: 2, statementTimeout: 30_000, applicationName: 'emma hits' })
const load = new Int32Array(data.load)

/** Percent of the responding thread's time. */
const BUSY = 70

const store = startEventStore({
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
