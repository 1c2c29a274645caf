import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Logger } from '../logger.ts'
import { nodeArguments } from '../roles.ts'
import { DRAIN_LIMIT } from './drain-limit.ts'
import type { RoleMessage, SupervisorMessage } from './run-role.ts'

export type SuperviseOptions = {
  /** Processes to run, named after their roles. */
  roles: string[]
  /** The module of each process, with the role's name as argument. */
  program?: string
  /** Environment of the processes. */
  environment: NodeJS.ProcessEnv
  logger: Logger
  /** Milliseconds for a role to finish its work before it is killed. */
  drainLimit?: number
  /** Milliseconds before the first restart of a failed role; doubled with each, up to half a minute. */
  firstPause?: number
}

export type Supervisor = {
  /** Resolves once every role is running (after restarts, if needed). */
  ready: Promise<void>
  /** Restarts all roles with a changed environment. */
  restart(changes: NodeJS.ProcessEnv): Promise<void>
  /** Lets all roles finish; those that take too long are killed. */
  stop(): Promise<void>
  /** Kills all roles, for the operator's second Ctrl-C. */
  kill(): void
}

const roleProgram = fileURLToPath(new URL('role-process.ts', import.meta.url))

const LONGEST_PAUSE = 30_000

/** Milliseconds after which a role counts as stable, and the restart delay is reset. */
const SOUND_AFTER = 60_000

/** Runs roles as processes and restarts those that fail. */
export function supervise(options: SuperviseOptions): Supervisor {
  let environment = options.environment
  const processes = options.roles.map(name => new RoleProcess(name, options, () => environment))
  for (const role of processes) role.start()
  return {
    ready: allReady(processes),
    async restart(changes) {
      environment = { ...environment, ...changes }
      await Promise.all(processes.map(role => role.stop()))
      for (const role of processes) role.start()
    },
    async stop() {
      await Promise.all(processes.map(role => role.stop()))
    },
    kill() {
      for (const role of processes) role.kill()
    },
  }
}

async function allReady(processes: RoleProcess[]): Promise<void> {
  await Promise.all(processes.map(role => role.ready))
}

/** Manages the process of one role. */
class RoleProcess {
  readonly ready: Promise<void>
  private readonly name: string
  private readonly options: SuperviseOptions
  private readonly environment: () => NodeJS.ProcessEnv
  private readonly becomeReady: () => void
  private child: ChildProcess | undefined
  private restart: NodeJS.Timeout | undefined
  private wanted = false
  private pause: number

  constructor(name: string, options: SuperviseOptions, environment: () => NodeJS.ProcessEnv) {
    this.name = name
    this.options = options
    this.environment = environment
    this.pause = this.firstPause
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ready = promise
    this.becomeReady = resolve
  }

  start(): void {
    this.wanted = true
    const started = Date.now()
    const child = fork(this.options.program ?? roleProgram, [this.name], {
      env: this.environment(),
      execArgv: [...process.execArgv, ...nodeArguments(this.name)],
    })
    this.child = child
    child.on('message', (message: RoleMessage) => {
      if (message.type === 'ready') this.becomeReady()
    })
    child.on('error', error =>
      this.options.logger.error({ err: error }, `The role ${this.name} could not be started`),
    )
    child.once('exit', (code, signal) => {
      if (this.wanted) this.startAgain(signal ?? `code ${code}`, Date.now() - started)
    })
  }

  private startAgain(reason: string, lived: number): void {
    if (lived > SOUND_AFTER) this.pause = this.firstPause
    this.options.logger.error(
      `The role ${this.name} ended unexpectedly (${reason}); starting it again in ${this.pause / 1_000} s`,
    )
    this.restart = setTimeout(() => this.start(), this.pause)
    this.pause = Math.min(LONGEST_PAUSE, this.pause * 2)
  }

  async stop(): Promise<void> {
    this.wanted = false
    clearTimeout(this.restart)
    const child = this.child
    if (!child || hasEnded(child)) return
    const limit = this.options.drainLimit ?? DRAIN_LIMIT + 1_000
    const overdue = setTimeout(() => {
      this.options.logger.error(`The role ${this.name} does not finish; ending it`)
      child.kill('SIGKILL')
    }, limit)
    const ended = once(child, 'exit')
    if (child.connected) child.send({ type: 'stop' } satisfies SupervisorMessage, () => {})
    else child.kill('SIGTERM')
    await ended
    clearTimeout(overdue)
  }

  kill(): void {
    this.child?.kill('SIGKILL')
  }

  private get firstPause(): number {
    return this.options.firstPause ?? 500
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
