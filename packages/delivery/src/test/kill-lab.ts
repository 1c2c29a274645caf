import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPool, createDb, type Pool, type Db } from '@emma/db/connection.ts'
import { startEmbeddedServer } from '@emma/db/embedded-server.ts'
import { migrate } from '@emma/db/migrate.ts'
import { isAlive } from '@emma/db/process-info.ts'
import { SMTP_DEPTH } from '@emma/mail/smtp/client.ts'
import { sql } from 'kysely'
import { createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'

/** An installation whose PostgreSQL, receiver and engines are separate processes, so that each can be killed. */
export interface KillLab {
  url: string
  db: Db
  pool: Pool
  tenant: TestTenant
  /** Messages that one engine can have in flight: connections × depth. */
  capacity: number
  /** Running engines; add one with `startEngine`. */
  engines: ChildProcess[]
  /** Changes when the database is killed. */
  readonly databasePid: number
  readonly sinkPid: number
  /** Resolves when it is running. Its clock is `skew` milliseconds off; `resendAfter` in seconds. */
  startEngine(skew?: number, resendAfter?: number): Promise<ChildProcess>
  killEngine(engine: ChildProcess): Promise<void>
  /** Sends SIGKILL; it listens on its port again a moment later. */
  killSink(): Promise<void>
  /** Killed, or fast or smart shutdown; it listens on its port again a moment later. */
  killDatabase(signal: 'SIGKILL' | 'SIGQUIT' | 'SIGINT'): Promise<void>
  /**
   * Resolves when every running engine holds its lease and dead ones are recovered.
   * @throws with the engines' output if one has exited by itself
   */
  settled(): Promise<void>
  /** Returns new lines of the receiver's log. */
  readLog(): Receipt[]
  stop(): Promise<void>
}

/** A line of the receiver's log. `from` is the first word of the From address. */
export interface Receipt {
  from: string
  to: string
  what: 'accepted' | 'refused' | 'lost' | 'without'
}

export interface KillLabOptions {
  emails: readonly string[]
  connections: number
  /** Milliseconds the receiver delays each message. */
  pause: number
  /** Folder of the database; default: a temporary folder. */
  databaseFolder?: string
}

export async function openKillLab({
  emails,
  connections,
  pause,
  databaseFolder,
}: KillLabOptions): Promise<KillLab> {
  const folder = mkdtempSync(join(tmpdir(), 'emma-kill-'))
  // The database's user needs access.
  chmodSync(folder, 0o755)
  // As in production, with fsync: the tests cover what survives a killed database.
  const server = await startEmbeddedServer({
    folder: databaseFolder ?? join(folder, 'postgres'),
    secret: 'kill',
  })
  const { url } = server
  await migrate(url)
  const pool = createPool(url)
  const db = createDb(pool)
  const tenant = await createTestTenant(db, emails)
  await db.updateTable('mailclass').set({ max_connections: connections }).execute()
  const mailLog = join(folder, 'receipts.log')
  const noiseFile = join(folder, 'engines.log')
  const noise = openSync(noiseFile, 'a')
  let fault: Error | null = null
  let sinkPort = 0
  let sink = await startSink()
  let readUpTo = 0
  const engines: ChildProcess[] = []

  return {
    url,
    db,
    pool,
    tenant,
    capacity: connections * SMTP_DEPTH,
    engines,
    get databasePid() {
      return server.pid
    },
    get sinkPid() {
      return sink.pid ?? 0
    },
    async startEngine(skew = 0, resendAfter = 2) {
      for (;;) {
        const child = fork(
          new URL('engine-process.ts', import.meta.url),
          [url, String(sinkPort), String(skew), String(resendAfter)],
          { stdio: ['ignore', noise, noise, 'ipc'] },
        )
        const isStarted = await Promise.race([
          once(child, 'message').then(() => true),
          once(child, 'exit').then(() => false),
        ])
        // A start without database fails and is retried, as by the supervisor.
        if (!isStarted) continue
        engines.push(child)
        child.once('exit', () => {
          if (engines.includes(child))
            fault = new Error(`An engine ended: ${readFileSync(noiseFile, 'utf8')}`)
        })
        return child
      }
    },
    async killEngine(engine) {
      engines.splice(engines.indexOf(engine), 1)
      if (engine.exitCode !== null || engine.signalCode !== null) return
      engine.kill('SIGKILL')
      await once(engine, 'exit')
    },
    async killSink() {
      sink.kill('SIGKILL')
      await once(sink, 'exit')
      sink = await startSink()
    },
    async killDatabase(signal) {
      const { pid } = server
      process.kill(pid, signal)
      await insist(async () => server.pid !== pid || !isAlive(pid))
    },
    async settled() {
      await insist(async () => fault !== null || (await isSettled(db, engines.length)))
      if (fault !== null) throw fault
    },
    readLog() {
      const text = readFileSync(mailLog, 'utf8')
      // The last line may be incomplete.
      const end = text.lastIndexOf('\n') + 1
      const lines = text.slice(readUpTo, end).split('\n').slice(0, -1)
      readUpTo = end
      return lines.map(toReceipt)
    },
    async stop() {
      for (const engine of engines.splice(0)) engine.kill('SIGKILL')
      sink.kill('SIGKILL')
      await pool.end()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }

  async function startSink(): Promise<ChildProcess> {
    const child = fork(new URL('sink-process.ts', import.meta.url), [
      String(sinkPort),
      mailLog,
      String(pause),
    ])
    const exited = once(child, 'exit').then(([code]) => {
      throw new Error(`The receiver ended with ${code}`)
    })
    const [port] = await Promise.race([once(child, 'message'), exited])
    exited.catch(() => {})
    sinkPort = Number(port)
    return child
  }
}

/** Polls until the condition is true; database errors are retried. */
export async function insist(ask: () => Promise<boolean>, seconds = 120): Promise<void> {
  const end = performance.now() + seconds * 1000
  let last: unknown = 'it was never so'
  while (performance.now() < end) {
    try {
      if (await ask()) return
    } catch (error) {
      last = error
    }
    await sleep(50)
  }
  throw new Error(`Not within ${seconds} s: ${ask.toString()}`, { cause: last })
}

async function isSettled(db: Db, engines: number): Promise<boolean> {
  const { rows } = await sql<{ known: number; alive: number }>`
    select count(*) as known, count(*) filter (where exists (
        select from pg_locks l
        where l.locktype = 'advisory' and l.granted
          and (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended(e.lease::text, 0)
      )) as alive
    from engine e`.execute(db)
  return rows[0]?.known === engines && rows[0].alive === engines
}

function toReceipt(line: string): Receipt {
  const [from = '', to = '', what] = line.split('\t')
  if (what !== 'accepted' && what !== 'refused' && what !== 'lost' && what !== 'without')
    throw new Error(`The receiver's log has a line that nobody wrote: ${line}`)
  return { from, to, what }
}
