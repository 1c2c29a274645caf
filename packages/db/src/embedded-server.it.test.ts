import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  type EmbeddedServer,
  type EmbeddedServerOptions,
  runningServerUrl,
  startEmbeddedServer,
} from './embedded-server.ts'
import { isAlive, signal, waitForExit } from './process-info.ts'
import { type Setting, throwAwaySettings } from './server-settings.ts'

let home: string
beforeEach(context => {
  home = mkdtempSync(join(realpathSync(tmpdir()), 'emma-embedded-'))
  chmodSync(home, 0o755)
  // Runs last, after the servers of the test were stopped.
  const folder = home
  context.onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

test('the first start creates the database, and later ones find its data', async () => {
  const first = await start()
  await run(first.url, 'create table note (text text)', `insert into note values ('kept')`)
  await first.stop()
  const second = await start()
  expect(await run(second.url, 'select text from note')).toEqual([{ text: 'kept' }])
})

test('the database is UTF-8 with the same collation everywhere, and stores no password', async () => {
  const server = await start()
  const [database] = await run(
    server.url,
    `select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale
     from pg_database where datname = current_database()`,
  )
  expect(database).toEqual({ encoding: 'UTF8', provider: 'b', locale: 'C.UTF-8' })
  expect(readdirSync(join(home, 'postgres'))).toEqual(['cluster', 'lock'])
  const [user] = await run(server.url, 'select rolsuper from pg_roles where rolname = current_user')
  expect(user).toEqual({ rolsuper: false })
})

test('a killed server restarts on its port with every committed row', async () => {
  const server = await start()
  await run(server.url, 'create table note (text text)', `insert into note values ('committed')`)
  const url = server.url
  signal(server.pid, 'SIGKILL')
  await expect
    .poll(() => run(url, 'select text from note').catch(() => 'down'))
    .toEqual([{ text: 'committed' }])
  expect(server.url).toBe(url)
})

test('a killed backend ends its own session, not the server', async () => {
  const server = await start()
  const client = new Client({ connectionString: server.url })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  signal(rows[0].pid, 'SIGKILL')
  await expect.poll(() => run(server.url, 'select 1 as one').catch(() => 'down')).toEqual([{ one: 1 }])
})

test('an orphaned server of a killed program is replaced, with its data', async () => {
  const program = await startElsewhere()
  const pidFile = join(home, 'postgres/cluster/postmaster.pid')
  const orphan = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  await run(program.url, 'create table note (text text)', `insert into note values ('from before')`)
  program.child.kill('SIGKILL')
  await once(program.child, 'exit')
  expect(isAlive(orphan)).toBe(true)

  const news: string[] = []
  const server = await start({ log: collect(news) })
  expect(isAlive(orphan)).toBe(false)
  expect(news.join('\n')).toContain(`stopped the database server ${orphan}`)
  expect(await run(server.url, 'select text from note')).toEqual([{ text: 'from before' }])
})

test('a postmaster.pid with the id of another running program is ignored', async () => {
  const first = await start()
  const pidFile = join(home, 'postgres/cluster/postmaster.pid')
  const lines = readFileSync(pidFile, 'utf8').split('\n').slice(1)
  await first.stop()
  const bystander = spawn('sleep', ['60'])
  onTestFinished(() => void bystander.kill('SIGKILL'))
  writeFileSync(pidFile, [bystander.pid, ...lines].join('\n'))
  const second = await start()
  expect(await run(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(bystander.exitCode).toBe(null)
})

test('another port is used if the configured one is taken', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  onTestFinished(() => void holder.close())
  const address = holder.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const server = await start({ port })
  expect(new URL(server.url).port).not.toBe(String(port))
  expect(await run(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('of two programs on one folder the first wins, and the second gets an error', async () => {
  const attempts = await Promise.allSettled([start(), start()])
  const failed = attempts.filter(attempt => attempt.status === 'rejected')
  expect(failed).toHaveLength(1)
  expect(String(failed[0]?.reason)).toContain('Another EMMA is running on the data folder')
})

test('other programs find the running server', async () => {
  expect(runningServerUrl(join(home, 'postgres'), 'secret')).toBe(undefined)
  const program = await startElsewhere()
  const url = runningServerUrl(join(home, 'postgres'), 'secret')
  expect(url).toBe(program.url)
  program.child.kill('SIGTERM')
  await once(program.child, 'exit')
  expect(runningServerUrl(join(home, 'postgres'), 'secret')).toBe(undefined)
})

test('another secret than the one the database was created with is rejected with a message', async () => {
  const first = await start()
  await first.stop()
  await expect(start({ secret: 'another' })).rejects.toThrow('refuses the password made from the secret key')
  await start()
})

test('a database of another PostgreSQL version is rejected with a message', async () => {
  const first = await start()
  await first.stop()
  writeFileSync(join(home, 'postgres/cluster/PG_VERSION'), '12\n')
  await expect(start()).rejects.toThrow('was made by PostgreSQL 12')
})

describe.runIf(process.getuid?.() === 0)('under root', () => {
  test('the server runs as another user, also with a umask that closes new folders', async () => {
    const before = process.umask(0o077)
    onTestFinished(() => void process.umask(before))
    const server = await start({ folder: join(home, 'data/postgres') })
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
    expect(/^Uid:\s+0\b/m.test(status)).toBe(false)
  })

  test('below an inaccessible home folder the database moves to where its user can access it, and logs the path', async () => {
    chmodSync(home, 0o700)
    const folder = join(home, 'data/postgres')
    const news: string[] = []
    const server = await start({ folder, log: collect(news) })
    const moved = realpathSync(folder)
    onTestFinished(() => rmSync(moved, { recursive: true, force: true }))
    expect(await run(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(news.join('\n')).toContain(`so the database lives in ${moved}`)
  })

  test('an existing database that became inaccessible is reported, not moved', async () => {
    const first = await start()
    await first.stop()
    chmodSync(home, 0o700)
    await expect(start()).rejects.toThrow(`who may not enter ${home}`)
  })
})

/** A returned commit survives a crash of the server, not of the machine. */
function committing(): Setting[] {
  return [...throwAwaySettings(), ['synchronous_commit', 'on', 'these tests kill servers']]
}

/** Starts a server in this process, stopped at the end of the test. */
async function start(options: Partial<EmbeddedServerOptions> = {}): Promise<EmbeddedServer> {
  const server = await startEmbeddedServer({
    folder: join(home, 'postgres'),
    secret: 'secret',
    settings: committing(),
    ...options,
  })
  onTestFinished(() => server.stop())
  return server
}

/** Starts a server in a separate process, which can be killed. */
async function startElsewhere(): Promise<{ child: ChildProcess; url: string }> {
  const module = fileURLToPath(new URL('embedded-server.ts', import.meta.url))
  const program = `
    import { startEmbeddedServer } from ${JSON.stringify(module)}
    const folder = ${JSON.stringify(join(home, 'postgres'))}
    const server = await startEmbeddedServer({ folder, secret: 'secret', settings: ${JSON.stringify(committing())} })
    process.on('SIGTERM', () => server.stop())
    console.log(server.url)
  `
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await removeOrphan()
  })
  const [line] = await once(child.stdout, 'data')
  return { child, url: String(line).trim() }
}

async function removeOrphan(): Promise<void> {
  const pidFile = join(home, 'postgres/cluster/postmaster.pid')
  if (!existsSync(pidFile)) return
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  signal(pid, 'SIGQUIT')
  await waitForExit(pid, 10_000)
}

async function run(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    let rows: unknown[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

function collect(lines: string[]) {
  const log = (line: string) => void lines.push(line)
  return { debug: log, info: log, warn: log, error: log }
}
