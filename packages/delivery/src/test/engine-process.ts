import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPool, createDb } from '@emma/db/connection.ts'
import { testEngine } from './engine.ts'

/**
 * An engine as a separate process, for kill tests: `node engine-process.ts DATABASE_URL SINK_PORT [SKEW
 * [RESEND_AFTER]]`. Its clock is SKEW milliseconds off; a number sent as message changes the skew.
 */
const [url = '', port = '', skew = '0', resendAfter = '2'] = process.argv.slice(2)
let off = Number(skew)
const { now } = Date
globalThis.Date = new Proxy(Date, {
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now() + off] : given),
  get: (target, key) => (key === 'now' ? () => now() + off : Reflect.get(target, key)),
})
process.on('message', message => (off = Number(message)))
process.on('disconnect', () => process.exit(1))

const pool = createPool(url, { statementTimeout: 0 })
await testEngine({ pool, db: createDb(pool) }, Number(port), {
  resendAfter: Number(resendAfter),
  // A server of the client that answers by the end of the address, within a few milliseconds.
  fetchPersonal: async ({ url }) => {
    await sleep(Math.random() * 6)
    return { data: { own: `own-${url.split('=').at(-1)}` } }
  },
})
process.send?.('started')
// Now: a killed process does not do it at its end.
flushCompileCache()
