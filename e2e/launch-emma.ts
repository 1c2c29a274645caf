import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@emma/testbed/test/free-port.ts'

/** The program uses the ports after PORT for its other listeners. */
const PORTS = 7

const root = fileURLToPath(new URL('..', import.meta.url))
export const adminPassword = 'a password for tests'

/** The running program, started like `npm start`, with its own folder and ports. */
export interface RunningEmma {
  url: string
  dataFolder: string
  port: number
  /** Process id of the supervisor. */
  readonly pid: number
  /** SIGKILL to the supervisor: its roles and the database keep running unsupervised, as after a crash. */
  kill(): Promise<void>
  /** Starts it again with the same folder and ports. */
  restart(): Promise<void>
  /** Ends it gracefully. */
  stop(): Promise<void>
}

/** Environment variables. */
export type Settings = Readonly<Record<string, string>>

interface LaunchOptions {
  /** Separated by commas; all by default. */
  roles?: string | undefined
  settings?: Settings | undefined
}

/** Starts the program on a data folder; an empty folder is a first start. `stop` keeps the folder. */
export async function launchEmma(dataFolder: string, options: LaunchOptions = {}): Promise<RunningEmma> {
  const port = await freePort(PORTS)
  let child = await launch(dataFolder, port, options)
  return {
    url: `http://localhost:${port}`,
    dataFolder,
    port,
    get pid() {
      return child.pid ?? 0
    },
    async kill() {
      child.kill('SIGKILL')
      await ended(child)
    },
    async restart() {
      child = await launch(dataFolder, port, options)
    },
    async stop() {
      child.kill('SIGTERM')
      await ended(child)
    },
  }
}

/**
 * Creates a folder that the database's user can access if this runs as root; otherwise the program would store the
 * database elsewhere.
 */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'emma-e2e-'))
  chmodSync(folder, 0o755)
  return folder
}

async function launch(
  dataFolder: string,
  port: number,
  { roles, settings }: LaunchOptions,
): Promise<ChildProcess> {
  const command = ['apps/server/dist/emma.js', 'start', ...(roles ? ['--roles', roles] : [])]
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      EMMA_DATA: dataFolder,
      EMMA_ADMIN_PASSWORD: adminPassword,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      // Pictures of all templates would be drawn in each journey.
      EMMA_CHROMIUM: 'none',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000)
      if (output.includes('EMMA is ready at')) resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', code => reject(new Error(`EMMA ended with ${code} before it was ready:\n${output}`)))
  })
  // Without an engine EMMA is never ready.
  await (roles && !roles.split(',').includes('engine')
    ? Promise.race([ready, untilHealthy(child, port)])
    : ready)
  return child
}

async function untilHealthy(child: ChildProcess, port: number): Promise<void> {
  while (child.exitCode === null && !(await isHealthy(port))) await sleep(50)
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://localhost:${port}/health`)).ok
  } catch {
    return false
  }
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise(resolve => child.once('exit', () => resolve()))
}
