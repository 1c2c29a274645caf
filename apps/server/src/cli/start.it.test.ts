import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { freePort } from '@emma/testbed/test/free-port.ts'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
/** The whole program, as `npm start` builds it: embedded database, API and engine. */
const emma = join(root, 'apps/server/dist/emma.js')
beforeAll(() => {
  execFileSync(process.execPath, ['scripts/build.mjs', 'server'], { cwd: root })
})

let folder: string
let port: number
beforeEach(async context => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'emma-start-'))
  chmodSync(folder, 0o755)
  port = await freePort(7)
  const made = folder
  context.onTestFinished(() => rmSync(made, { recursive: true, force: true }))
})

test('a start prints the first account and the URL, later ones only the URL', async () => {
  const first = await startUntilReady()
  // Roles that are already running write to the same log.
  const [account, ready] = first.lines.filter(line => /^(?:First account|EMMA is ready)/.test(line))
  // The output is not a terminal but a log, so the password is not printed.
  expect(account).toBe('First account: admin. Choose its password with: emma user reset --username admin')
  expect(ready).toBe(`EMMA is ready at http://localhost:${port}`)
  const reset = await run(['user', 'reset', '--username', 'Admin'])
  expect(reset).toMatchObject({ code: 0, said: '' })
  expect(reset.printed).toMatch(
    new RegExp(
      `^Link for admin, .* 60 minutes:\\nhttp://localhost:${port}/password-reset\\?token=[\\w-]{43}\\n$`,
    ),
  )
  first.child.kill('SIGTERM')
  expect(await once(first.child, 'exit')).toEqual([0, null])

  const second = await startUntilReady()
  expect(second.lines.join('\n')).not.toContain('First account')
})

test('a killed program can be restarted at once', async () => {
  const first = await startUntilReady()
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const second = await startUntilReady()
  const answer = await fetch(`http://127.0.0.1:${port}/ready`)
  expect(answer.status).toBe(200)
  expect(second.lines.join('\n')).toContain('that an earlier EMMA left running')
})

test('a port in use is reported', async () => {
  const other = createServer().listen(port)
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { code, said } = await run(['start', '--roles', 'api'])
  expect(code).toBe(1)
  expect(said).toContain(`Port ${port} is in use by another program. Choose another one in PORT`)
  expect(said).not.toContain('    at ')
})

test.each([
  [['start', '--roles', 'api,cook'], 'There is no role "cook"'],
  [['launch'], 'There is no command "launch"'],
  [['start', '--rolls', 'api'], "Unknown option '--rolls'"],
  [['user', 'create'], 'Give --username NAME and --email ADDRESS'],
  [['user', 'create', '--password', 'seen by all'], "Unknown option '--password'"],
  [['user', 'reset'], 'Give --username NAME'],
])('emma %j prints an error', async (args, words) => {
  const { code, said } = await run(args)
  expect(code).toBe(1)
  expect(said).toContain(words)
  expect(said).not.toContain('    at ')
})

test('an unavailable database is reported without its password', async () => {
  const { code, said } = await run(['migrate'], { DATABASE_URL: 'postgres://emma:geheim@127.0.0.1:1/emma' })
  expect(code).toBe(1)
  expect(said).toContain('The database at postgres://emma@127.0.0.1:1/emma does not answer')
  expect(said).not.toContain('geheim')
})

async function startUntilReady(): Promise<{ child: ChildProcess; lines: string[] }> {
  const child = emmaProcess(['start', '--roles', 'api,engine'])
  onTestFinished(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  let said = ''
  await new Promise<void>((settle, fail) => {
    child.once('exit', code => fail(new Error(`ended with code ${code}: ${said}`)))
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      if (/^EMMA is ready.*\n/m.test(said)) settle()
    })
  })
  return { child, lines: said.split('\n') }
}

async function run(
  args: string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<{ code: number; said: string; printed: string }> {
  const child = emmaProcess(args, environment)
  const [said, [code], printed] = await Promise.all([
    text(child.stderr),
    once(child, 'exit'),
    text(child.stdout),
  ])
  return { code, said, printed }
}

function emmaProcess(args: string[], environment: NodeJS.ProcessEnv = {}) {
  const { DATABASE_URL: _, ...inherited } = process.env
  return spawn(process.execPath, [emma, ...args], {
    env: {
      ...inherited,
      PORT: String(port),
      EMMA_DATA: join(folder, 'data'),
      NODE_ENV: 'test',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
