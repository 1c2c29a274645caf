import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from './process-info.ts'
import type { ServerAccount } from './server-account.ts'
import { executable, type ServerBinaries } from './server-binaries.ts'
import { clearLeftovers, readPidFile, serverEnvironment, stopProcess } from './server-cluster.ts'
import { EmbeddedServerError } from './server-error.ts'
import type { ServerLog } from './server-log.ts'

/** Manages the server process: starts, restarts and stops it. */
export class Postmaster {
  /** Port it listens on; differs from the configured one if that was taken. */
  port = 0
  /** Called after a restart on another port. */
  onMoved = () => {}
  private child: ChildProcess | undefined
  private revival: Promise<void> = Promise.resolve()
  private stopping = false
  private lastLines: string[] = []
  private readonly cluster: string
  private readonly account: ServerAccount
  private readonly binaries: ServerBinaries
  private readonly log: ServerLog

  constructor(cluster: string, account: ServerAccount, binaries: ServerBinaries, log: ServerLog) {
    this.cluster = cluster
    this.account = account
    this.binaries = binaries
    this.log = log
  }

  get pid(): number {
    return this.child?.pid ?? 0
  }

  /**
   * Tries the configured port (0 for any), then others: a port may be taken between choosing and binding it.
   * @throws EmbeddedServerError with PostgreSQL's last output if it does not start
   */
  async start(wishedPort: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const port = await freePort(attempt === 1 ? wishedPort : 0)
      if (await this.launch(port)) break
      const said = this.lastLines.join('\n')
      if (attempt === 5 || !/Address already in use|could not bind/.test(said))
        throw new EmbeddedServerError(`The database did not start. PostgreSQL said:\n${said}`)
    }
    if (wishedPort !== 0 && this.port !== wishedPort)
      this.log.warn(`Database: port ${wishedPort} is in use, so it listens on ${this.port}`)
  }

  async stop(): Promise<void> {
    this.stopping = true
    await this.stopChild()
    // A concurrent restart may have launched another one.
    await this.revival
    await this.stopChild()
  }

  private async stopChild(): Promise<void> {
    const child = this.child
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return
    if (process.platform === 'win32') stopOnWindows(this.binaries, this.cluster)
    else await stopProcess(child.pid)
  }

  /** True when the server accepts connections, false if it exited before. */
  private async launch(port: number): Promise<boolean> {
    this.lastLines = []
    const child = spawn(
      join(this.binaries.folder, executable('postgres')),
      [
        '-D',
        this.cluster,
        '-p',
        String(port),
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        'unix_socket_directories=',
      ],
      {
        cwd: '/',
        env: serverEnvironment(),
        stdio: ['ignore', 'ignore', 'pipe'],
        // Its own session: Ctrl-C in the terminal must only reach the program, which drains and then stops the
        // server.
        detached: true,
        ...(this.account && { uid: this.account.uid, gid: this.account.gid }),
      },
    )
    this.child = child
    this.port = port
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n')) this.note(line)
    })
    const abandoned = new AbortController()
    const ready = await Promise.race([this.end(child), this.readiness(child, abandoned.signal)])
    abandoned.abort()
    if (ready)
      child.once('exit', (code, name) => {
        this.revival = this.revive(name ?? `code ${code}`)
      })
    return ready
  }

  /** False once the process has exited and its last output is read. */
  private async end(child: ChildProcess): Promise<false> {
    try {
      await once(child, 'exit')
      // A lingering backend keeps the pipe open: do not wait forever.
      await Promise.race([once(child, 'close'), sleep(300)])
    } catch (error) {
      this.note(String(error))
    }
    return false
  }

  /** After a crash the server first replays its WAL, which may take long: logged, not limited. */
  private async readiness(child: ChildProcess, abandoned: AbortSignal): Promise<boolean> {
    const started = Date.now()
    for (let turn = 1; !abandoned.aborted; turn++) {
      const file = readPidFile(this.cluster)
      if (file?.ready && file.pid === child.pid) return true
      if (turn % 200 === 0)
        this.log.info(`Database: recovering, ${Math.round((Date.now() - started) / 1000)} s so far`)
      await sleep(turn < 100 ? 10 : 50)
    }
    return false
  }

  private async revive(reason: string): Promise<void> {
    const port = this.port
    for (let attempt = 0; !this.stopping; attempt++) {
      this.log.error(`Database: the server ended (${reason}); starting it again`)
      try {
        for (const line of await clearLeftovers(this.cluster)) this.log.warn(`Database: ${line}`)
        await this.start(port)
        this.log.info('Database: running again')
        if (this.port !== port) this.onMoved()
        return
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error)
        await sleep(Math.min(5_000, 200 * 2 ** attempt))
      }
    }
  }

  private note(line: string): void {
    if (line === '') return
    this.lastLines = [...this.lastLines.slice(-9), line]
    if (/^(FATAL|PANIC):/.test(line)) this.log.warn(`Database: ${line}`)
    else this.log.debug(`Database: ${line}`)
  }
}

function stopOnWindows(binaries: ServerBinaries, cluster: string): void {
  spawnSync(join(binaries.folder, executable('pg_ctl')), ['stop', '-D', cluster, '-m', 'fast', '-w'])
}

/** The configured port if it is free, otherwise any free one. */
async function freePort(wished: number): Promise<number> {
  return (await tryPort(wished)) ?? (await tryPort(0)) ?? 0
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((settle, fail) => {
    const probe = createServer()
    probe.once('error', error => {
      if (errorCode(error) === 'EADDRINUSE' || errorCode(error) === 'EACCES') settle(undefined)
      else fail(error)
    })
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => settle(typeof address === 'object' ? address?.port : undefined))
    })
  })
}
