import { type ChildProcess, fork, spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { freePort } from '@emma/testbed/test/free-port.ts'
import { sql } from 'kysely'
import { openBenchDatabase } from './bench-database.ts'
import { benchMail, fieldValue } from './delivery-mail.ts'
import { findProgram, requirePrograms } from './require-programs.ts'

/**
 * `npm run bench:delivery [-- MAILS [ENGINES [KB …]]]`: sends campaigns from their start to the recorded ledger, with mails
 * of 10 and 50 kB, signed by RSA-2048 and by Ed25519, to postfix's smtp-sink. Baselines in the same run: a nodemailer pool
 * that sends the same signed mails (RSA) to the same sink, and RSA signatures alone on all cores. Prints the bottleneck of
 * each campaign. Default: one engine per core, at most 8, as with `EMMA_ENGINES`.
 *
 * The last line is JSON, each ratio the worse one of both sizes: `rsa_vs_nodemailer`, `rsa_vs_signing`,
 * `ed25519_vs_nodemailer`, and `rss_mb`, the maximum memory of an engine.
 */
const MAILS = Number(process.argv[2] ?? 100_000)
const ENGINES = Number(process.argv[3] ?? Math.min(8, availableParallelism()))
const SIZES =
  process.argv.length > 4 ? process.argv.slice(4).map(size => Number(size) * 1000) : [10_000, 50_000]
const NODEMAILER_MAILS = 4_000

/** Campaigns of at most this many mails are sent twice; the second one is measured. */
const WARMED_UP = 20_000

/** Utilization from which a resource is the bottleneck. */
const BUSY = 0.85

type Algorithm = 'rsa' | 'ed25519'

interface Used {
  /** Event loop utilization of the main thread, from 0 to 1. */
  loop: number
  rssMb: number
}

interface Engines {
  /** CPU time since the start of the engines, in µs. Linux only; 0 elsewhere. */
  cpuMicros(): number
  stop(): Promise<Used>
}

requirePrograms({ 'smtp-sink': 'postfix' })
const sink = await startSink()
const database = await openBenchDatabase()
const { db, url } = database
try {
  const tenant = await fillMembers()
  const results: ({ nodemailer: number } & Record<Algorithm, number>)[] = []
  let rssMb = 0
  const signing = await measureSigning()
  for (const size of SIZES) {
    await setMail(tenant, size)
    const nodemailer = await measureNodemailer(size)
    const rates: Record<Algorithm, number> = { rsa: 0, ed25519: 0 }
    for (const algorithm of ['rsa', 'ed25519'] as const) {
      const measured = await measureEngine(tenant, algorithm)
      rates[algorithm] = measured.rate
      rssMb = Math.max(rssMb, measured.rssMb)
      console.log(
        `${size / 1000} kB ${algorithm}: ${Math.round(measured.rate)} mails/s; CPU a mail: engines ` +
          `${Math.round(measured.engineMicros)} µs, sink ${Math.round(measured.sinkMicros)} µs, database ` +
          `${Math.round(measured.databaseMicros)} µs; most ${measured.rssMb} MB an engine; the limit: ${limitOf(measured)}`,
      )
    }
    console.log(`${size / 1000} kB nodemailer: ${Math.round(nodemailer)} mails/s`)
    results.push({ nodemailer, ...rates })
  }
  console.log(`bare RSA-2048 signatures: ${Math.round(signing)}/s`)
  const worst = (ratio: (row: (typeof results)[number]) => number) =>
    Math.round(Math.min(...results.map(ratio)) * 100) / 100
  console.log(
    JSON.stringify({
      mails: MAILS,
      engines: ENGINES,
      rsa_vs_nodemailer: worst(row => row.rsa / row.nodemailer),
      rsa_vs_signing: worst(row => row.rsa / signing),
      ed25519_vs_nodemailer: worst(row => row.ed25519 / row.nodemailer),
      rss_mb: rssMb,
    }),
  )
} finally {
  await database.close()
  sink.process.kill()
}

async function fillMembers(): Promise<TestTenant> {
  const tenant = await createTestTenant(db, [])
  const members = sql.id('members', `t${tenant.memberTableId}`)
  const fields = Array.from({ length: 20 }, (_, n) => n + 1)
  const columns = fields.map(field => sql`add column ${sql.id(`field${field}`)} text`)
  await sql`alter table ${members} ${sql.join(columns)}`.execute(db)
  await sql`
    insert into ${members} (client_id, email, ${sql.join(fields.map(field => sql.id(`field${field}`)))})
    select ${tenant.clientId}::bigint, 'member' || n || '@example' || n % 50 || '.com',
      ${sql.join(fields.map(field => sql`replace(${fieldValue(-1, field)}, '-1', n::text)`))}
    from generate_series(1, ${MAILS}::int) n`.execute(db)
  await db.updateTable('mailclass').set({ max_connections: 10 }).execute()
  await sql`vacuum analyze`.execute(db)
  return tenant
}

async function setMail(tenant: TestTenant, size: number): Promise<void> {
  const { subject, html, text } = benchMail(size)
  await db
    .updateTable('message')
    .set({ subject, body_long: html, body_text: text })
    .where('message_id', '=', tenant.messageId)
    .execute()
}

async function measureEngine(tenant: TestTenant, algorithm: Algorithm) {
  // Only the key of this algorithm may sign.
  await db.updateTable('dkim_key').set({ active: false }).execute()
  await db.updateTable('dkim_key').set({ active: true }).where('algorithm', '=', algorithm).execute()
  const engines = await startEngines()
  await finishBefore(tenant)
  // The first campaign loads modules: it warms up the engines and is not measured.
  if (MAILS <= WARMED_UP) await sendCampaign(tenant)
  const usedBefore = engines.cpuMicros()
  const before = { sink: cpuOf(sink.process.pid), database: cpuOf(database.pid) }
  const start = performance.now()
  const campaignId = await sendCampaign(tenant)
  const seconds = (performance.now() - start) / 1000
  const after = { sink: cpuOf(sink.process.pid), database: cpuOf(database.pid) }
  const cpuMicros = engines.cpuMicros() - usedBefore
  const used = await engines.stop()
  const { count } = await db
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('campagne_id', '=', campaignId)
    .where('state', '=', 'sent')
    .executeTakeFirstOrThrow()
  if (count !== MAILS) throw new Error(`${count} of ${MAILS} mails were sent`)
  return {
    rate: MAILS / seconds,
    rssMb: used.rssMb,
    loop: used.loop,
    engineMicros: cpuMicros / MAILS,
    sinkMicros: (after.sink - before.sink) / MAILS,
    databaseMicros: (after.database - before.database) / MAILS,
  }
}

/**
 * Waits until the members of the previous campaign have their last sending time, which is written after its end, and
 * prints the database CPU it took.
 */
async function finishBefore(tenant: TestTenant): Promise<void> {
  const before = cpuOf(database.pid)
  const members = sql.id('members', `t${tenant.memberTableId}`)
  const isMarked = async () => {
    const { rows } = await sql`
      select 1 from delivery d join ${members} m using (client_id, member_id)
      where d.state = 'sent' and (m.last_sent_at is null or m.last_sent_at < d.recorded_at) limit 1`.execute(
      db,
    )
    return rows.length === 0
  }
  if (await isMarked()) return
  do await sleep(500)
  while (!(await isMarked()))
  console.log(`afterwards: database ${Math.round((cpuOf(database.pid) - before) / MAILS)} µs a mail`)
  await sql`vacuum analyze`.execute(db)
}

async function sendCampaign(tenant: TestTenant): Promise<number> {
  const { campaignId } = await addCampaign(tenant)
  while (!(await isFinished(campaignId))) await sleep(50)
  return campaignId
}

/** Returns the bottleneck of a campaign. */
function limitOf(run: Awaited<ReturnType<typeof measureEngine>>): string {
  const cores = ((run.engineMicros + run.sinkMicros + run.databaseMicros) * run.rate) / 1_000_000
  if (cores > BUSY * availableParallelism()) return 'the cores'
  if ((run.sinkMicros * run.rate) / 1_000_000 > BUSY) return 'the sink'
  if (run.loop > BUSY) return 'the main thread of an engine: more engines send more'
  return 'waiting for the database or the sink'
}

async function isFinished(campaignId: number): Promise<boolean> {
  const { finished_at } = await db
    .selectFrom('campaign')
    .select('finished_at')
    .where('campagne_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  return finished_at !== null
}

async function startEngines(): Promise<Engines> {
  const file = fileURLToPath(new URL('delivery-engine.ts', import.meta.url))
  const children = await Promise.all(
    Array.from({ length: ENGINES }, async () => {
      // The arguments of the supervisor (apps/server/src/roles.ts).
      const child = fork(file, [url, String(sink.port)], { execArgv: ['--max-semi-space-size=16'] })
      await once(child, 'message')
      return child
    }),
  )
  return {
    cpuMicros: () => children.reduce((sum, child) => sum + cpuOf(child.pid), 0),
    async stop() {
      const used = await Promise.all(children.map(stopEngine))
      return {
        loop: Math.min(...used.map(one => one.loop)),
        rssMb: Math.max(...used.map(one => one.rssMb)),
      }
    },
  }
}

async function stopEngine(child: ChildProcess): Promise<Used> {
  const answer = once(child, 'message')
  child.send('end')
  const [used] = await answer
  return used
}

async function measureNodemailer(size: number): Promise<number> {
  const { private_key } = await db
    .selectFrom('dkim_key')
    .select('private_key')
    .where('algorithm', '=', 'rsa')
    .executeTakeFirstOrThrow()
  const child = fork(fileURLToPath(new URL('delivery-nodemailer.ts', import.meta.url)))
  const answer = once(child, 'message')
  const privateKey = private_key.toString()
  child.send({ port: sink.port, mails: NODEMAILER_MAILS, size, privateKey })
  const [{ seconds }] = await answer
  return NODEMAILER_MAILS / seconds
}

/** Measures RSA-2048 signatures per second on otherwise idle cores. */
async function measureSigning(): Promise<number> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signInPool = promisify(sign)
  const input = randomBytes(1_500)
  const end = performance.now() + 4_000
  const start = performance.now()
  let count = 0
  const signer = async () => {
    while (performance.now() < end) {
      await signInPool('sha256', input, privateKey)
      count++
    }
  }
  await Promise.all(Array.from({ length: 16 }, signer))
  return count / ((performance.now() - start) / 1000)
}

async function startSink(): Promise<{ process: ChildProcess; port: number }> {
  const program = findProgram('smtp-sink') ?? 'smtp-sink'
  const port = await freePort()
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(program, [...asUser, `127.0.0.1:${port}`, '512'], { stdio: 'inherit' })
  for (let tries = 0; !(await answers(port)); tries++) {
    if (tries === 50) throw new Error('smtp-sink does not answer.')
    await sleep(100)
  }
  return { process: child, port }
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isThere = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false)
  socket.destroy()
  return isThere
}

/** CPU time of a process and its children, in µs. Linux only; 0 elsewhere. */
function cpuOf(pid: number | undefined): number {
  if (!existsSync('/proc/self/stat')) return 0
  const processes = readdirSync('/proc').flatMap(name => statOf(name) ?? [])
  return processes
    .filter(one => one.pid === pid || one.parent === pid)
    .reduce((sum, one) => sum + one.micros, 0)
}

function statOf(name: string): { pid: number; parent: number; micros: number } | null {
  const file = `/proc/${name}/stat`
  if (!/^\d+$/.test(name) || !existsSync(file)) return null
  const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []
  // utime and stime, of the process and its ended children, in hundredths of a second.
  const [utime = 0, stime = 0, ended = 0, endedSystem = 0] = fields.slice(11, 15)
  return {
    pid: Number(name),
    parent: fields[1] ?? 0,
    micros: (utime + stime + ended + endedSystem) * 10_000,
  }
}
