import { createPool, createSql } from '@emma/db/connection.ts'
import { testEngine } from './test-house.ts'

/** An engine in a process of its own, to be killed: `node test-engine-process.ts DATABASE_URL TESTBED_PORT`. */
const [url = '', port = ''] = process.argv.slice(2)
const pool = createPool(url, { statementTimeout: 0 })
await testEngine({ pool, sql: createSql(pool) }, Number(port))
process.on('disconnect', () => process.exit(1))
process.send?.('started')
