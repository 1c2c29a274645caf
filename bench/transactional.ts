import { type ChildProcess, execFile, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createTestTenant, SENDER } from '@emma/core/test/tenant.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import { rotateMailKey } from '@emma/core/transactional/mail-key.ts'
import { startLab, testEngine } from '@emma/delivery/test/engine.ts'
import { sql } from 'kysely'
import { median, openBenchDatabase } from './bench-database.ts'

/**
 * `npm run bench:transactional [-- ROUNDS [CALLS]]`: calls that hand over emails, over the whole API, in a process of its
 * own. Baseline, in alternation: a Fastify route in the same kind of process that inserts the same row. Then the API is
 * killed (SIGKILL) three times while CALLS emails are handed over, each repeated with its idempotency key until it is
 * answered, and an engine sends them. The last line is JSON: `accepted_vs_insert` is the ratio of calls per second,
 * `p99_ms` the time of a call at 500 calls per second, `lost` and `doubled` count emails that were answered with 202.
 */
const ROUNDS = Number(process.argv[2] ?? 5)
const CALLS = Number(process.argv[3] ?? 3_000)
const SECONDS = 4
const CONNECTIONS = 64

const run = promisify(execFile)
const autocannon = createRequire(import.meta.url).resolve('autocannon/autocannon.js')
const database = await openBenchDatabase()
const { db } = database
const servers: Served[] = []

interface Served {
  port: number
  process: ChildProcess
}

try {
  const { id, key } = await addTransactional()
  const body = JSON.stringify({
    email: 'customer@web.test',
    data: { number: 'A-1001', items: [{ title: 'Darjeeling' }, { title: 'Cup' }] },
  })
  const api = await serve('api')
  const bare = await serve('insert')
  const path = `/api/transactionalcampaign/${id}/send`
  const rates = { api: [] as number[], insert: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++)
    for (const kind of round % 2 ? (['api', 'insert'] as const) : (['insert', 'api'] as const)) {
      const { port } = kind === 'api' ? api : bare
      const { requests } = await load(`http://127.0.0.1:${port}${path}`, key, body, [])
      // The first round warms up.
      if (round > 0) rates[kind].push(requests.average)
    }
  const steady = await load(`http://127.0.0.1:${api.port}${path}`, key, body, ['-R', '500'])
  const { lost, doubled } = await countUnderKills(id, key)
  console.log(
    JSON.stringify({
      calls_per_second: Math.round(median(rates.api)),
      inserts_per_second: Math.round(median(rates.insert)),
      accepted_vs_insert: Number((median(rates.api) / median(rates.insert)).toFixed(3)),
      p99_ms: steady.latency.p99,
      lost,
      doubled,
    }),
  )
} finally {
  for (const { process: child } of servers) child.kill('SIGKILL')
  await database.close()
}

async function addTransactional(): Promise<{ id: number; key: string }> {
  const tenant = await createTestTenant(db, [])
  const {
    clientId: client_id,
    domainId: domain_id,
    mailclassId: mailclass_id,
    messageId: message_id,
  } = tenant
  await db
    .updateTable('message')
    .set({ subject: 'Order {{ data.number }}', body_long: '<p>Thank you for {{ data.number }}.</p>' })
    .execute()
  const field = { required: true, example: null, fields: [] }
  const { id } = await db
    .insertInto('transactional')
    .values({
      client_id,
      name: 'Order',
      domain_id,
      mailclass_id,
      message_id,
      fromadr: `orders@${SENDER}`,
      data_fields: JSON.stringify([
        { ...field, name: 'number', type: 'text' },
        { ...field, name: 'items', type: 'list', fields: [{ ...field, name: 'title', type: 'text' }] },
      ]),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, key: (await rotateMailKey(db, systemActor(client_id), { clientIds: [client_id] }, id)).key }
}

async function serve(kind: 'api' | 'insert', port = 0): Promise<Served> {
  const script = new URL('transactional-server.ts', import.meta.url)
  const child = fork(script, [kind, database.url, database.folder, String(port)])
  const opened = await new Promise<number>((resolve, reject) => {
    child.once('message', message => resolve(Number(message)))
    child.once('exit', code => reject(new Error(`The server ended with ${code}`)))
  })
  const served = { port: opened, process: child }
  servers.push(served)
  return served
}

async function load(url: string, key: string, body: string, more: readonly string[]) {
  const headers = [`authorization=Bearer ${key}`, 'content-type=application/json'].flatMap(each => [
    '-H',
    each,
  ])
  const settings = ['-c', String(CONNECTIONS), '-d', String(SECONDS), '-m', 'POST', '-b', body, ...more]
  const { stdout } = await run(process.execPath, [autocannon, '--json', ...settings, ...headers, url])
  const { requests, latency, non2xx, errors } = JSON.parse(stdout)
  if (non2xx > 0 || errors > 0) throw new Error(`${url}: ${non2xx} refused, ${errors} broken`)
  return { requests, latency }
}

/** Hands over emails while the API is killed, and compares what was answered with what arrives. */
async function countUnderKills(id: number, key: string): Promise<{ lost: number; doubled: number }> {
  // Only the emails of this part are sent.
  await sql`truncate transactional_mail, transactional_attachment`.execute(db)
  const lab = await startLab(db)
  const engine = await testEngine(database, lab.port)
  let api = await serve('api')
  const answered = new Set<string>()
  const killed = (async () => {
    for (const share of [0.2, 0.5, 0.8]) {
      while (answered.size < CALLS * share) await sleep(5)
      api.process.kill('SIGKILL')
      api = await serve('api', api.port)
    }
  })()
  const callers = Array.from({ length: CONNECTIONS }, async (_, first) => {
    for (let n = first; n < CALLS; n += CONNECTIONS) {
      const email = `ok-${n}@web.test`
      while (!(await isAnswered(api.port, id, key, email))) await sleep(50)
      answered.add(email)
    }
  })
  await Promise.all([...callers, killed])
  const copies = () => {
    const counts = new Map<string, number>()
    for (const { recipient, outcome } of lab.log())
      if (outcome === 'accepted') counts.set(recipient, (counts.get(recipient) ?? 0) + 1)
    return counts
  }
  const end = Date.now() + 120_000
  while (copies().size < CALLS && Date.now() < end) await sleep(500)
  await engine.stop()
  const received = copies()
  await lab.stop()
  return {
    lost: [...answered].filter(email => !received.has(email)).length,
    doubled: [...received.values()].filter(count => count > 1).length,
  }
}

async function isAnswered(port: number, id: number, key: string, email: string): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/transactionalcampaign/${id}/send`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': email,
      },
      body: JSON.stringify({ email, data: { number: email, items: [] } }),
    })
    await response.arrayBuffer()
    return response.status === 202
  } catch {
    return false
  }
}
