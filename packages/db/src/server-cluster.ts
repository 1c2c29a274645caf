import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { giveTo, type ServerAccount } from './server-account.ts'
import { executable, type ServerBinaries } from './server-binaries.ts'
import { EmbeddedServerError } from './server-error.ts'
import { formatSettings, type Setting } from './server-settings.ts'
import { commandLine, isAlive, processesIn, signal, waitForExit, workingFolder } from './process-info.ts'

/**
 * Ensures that `cluster` is a database cluster of the binaries' version with these settings, owned by the account and
 * closed to others. Created in a temporary folder and renamed when complete, so that a killed start leaves no partial
 * one.
 * @throws EmbeddedServerError if initdb fails or the cluster is of another PostgreSQL version
 */
export function prepareCluster(
  cluster: string,
  account: ServerAccount,
  binaries: ServerBinaries,
  settings: Setting[],
  superuserPassword: string,
): void {
  if (!existsSync(join(cluster, 'PG_VERSION'))) createCluster(cluster, account, binaries, superuserPassword)
  checkVersion(cluster, binaries)
  writeFileSync(join(cluster, 'postgresql.conf'), formatSettings(settings))
  giveTo(account, cluster)
  chmodSync(cluster, 0o700)
}

function createCluster(
  cluster: string,
  account: ServerAccount,
  binaries: ServerBinaries,
  superuserPassword: string,
): void {
  const workshop = `${cluster}.new`
  rmSync(workshop, { recursive: true, force: true })
  mkdirSync(workshop, { mode: 0o700 })
  try {
    const passwordFile = join(workshop, 'password')
    writeFileSync(passwordFile, superuserPassword, { mode: 0o600 })
    giveTo(account, workshop)
    runInitdb(join(workshop, 'cluster'), passwordFile, account, binaries)
    renameSync(join(workshop, 'cluster'), cluster)
  } finally {
    rmSync(workshop, { recursive: true, force: true })
  }
}

function runInitdb(cluster: string, passwordFile: string, account: ServerAccount, binaries: ServerBinaries) {
  const { status, stdout, stderr, error } = spawnSync(
    join(binaries.folder, executable('initdb')),
    [
      `--pgdata=${cluster}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The same collation on every machine, whatever its C library; PostgreSQL before 17 supports only the latter's.
      ...(binaries.major >= 17
        ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
        : []),
      ...(binaries.major < 17 ? ['--locale=C.UTF-8'] : []),
    ],
    {
      encoding: 'utf8',
      cwd: '/',
      env: serverEnvironment(),
      ...(account && { uid: account.uid, gid: account.gid }),
    },
  )
  if (status === 0) return
  const output = [stdout, stderr, error?.message].filter(Boolean).join('\n').trim()
  throw new EmbeddedServerError(`The database could not be created in ${cluster}: ${output}`)
}

/** Nothing of the operator's shell (PGOPTIONS, PGPORT, secrets) reaches the server. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env
  return { PATH, SystemRoot, LC_ALL: 'C' }
}

function checkVersion(cluster: string, binaries: ServerBinaries): void {
  const version = Number(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'))
  if (version === binaries.major) return
  throw new EmbeddedServerError(
    `The database in ${cluster} was made by PostgreSQL ${version}, and this EMMA brings PostgreSQL ${binaries.major}. ` +
      'Start the EMMA that made it, back it up there, and restore the backup here.',
  )
}

/** Written by a running server: process id, port, and whether it accepts connections. */
export type PidFile = { pid: number; port: number; ready: boolean }

/** Parses postmaster.pid (its lines are fixed since PostgreSQL 10); undefined if there is none. */
export function readPidFile(cluster: string): PidFile | undefined {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
}

/**
 * Stops what an earlier program left running on this cluster: an orphaned server (the program was killed), or single
 * processes of a killed server. Only processes verified as this cluster's are stopped. The caller holds the folder's
 * lock, so no running program owns them.
 * @returns log lines of what was done
 * @throws EmbeddedServerError if an orphan does not exit
 */
export async function clearLeftovers(cluster: string): Promise<string[]> {
  const done: string[] = []
  const postmaster = readPidFile(cluster)
  if (postmaster && isAlive(postmaster.pid)) {
    if (isServerOf(postmaster.pid, cluster)) {
      await stopProcess(postmaster.pid)
      done.push(`stopped the database server ${postmaster.pid} that an earlier EMMA left running`)
    } else {
      disownPidFile(cluster)
      done.push(`ignored a stale postmaster.pid: process ${postmaster.pid} is another program now`)
    }
  }
  for (const pid of processesIn(cluster)) {
    if (!isBackend(pid)) continue
    signal(pid, 'SIGKILL')
    await waitForExit(pid, 5_000)
    done.push(`ended the database process ${pid} that had outlived its server`)
  }
  return done
}

/** By the working directory if available, otherwise by its arguments; always by the program's name. */
function isServerOf(pid: number, cluster: string): boolean {
  const [program = '', ...args] = commandLine(pid)
  if (!/^postgres(\.exe)?$/.test(basename(program))) return false
  return (workingFolder(pid) ?? args[args.indexOf('-D') + 1]) === cluster
}

/** Children of a server set their process title to `postgres: …`. */
function isBackend(pid: number): boolean {
  return commandLine(pid)[0]?.startsWith('postgres: ') ?? false
}

/**
 * Fast shutdown, which ends sessions and writes a checkpoint; then immediate shutdown, after which the next start
 * recovers.
 */
export async function stopProcess(pid: number): Promise<void> {
  for (const [name, timeoutMs] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 5_000],
  ] as const) {
    signal(pid, name)
    if (await waitForExit(pid, timeoutMs)) return
  }
  throw new EmbeddedServerError(`The database server (process ${pid}) does not end, not even when killed.`)
}

/**
 * A new server refuses to start while the process named in postmaster.pid runs. Deleting the file would also delete
 * the shared memory key by which PostgreSQL detects running backends of the old server. With our own process id in
 * it, the new server takes the file for its parent's, replaces it, and keeps that check.
 */
function disownPidFile(cluster: string): void {
  const file = join(cluster, 'postmaster.pid')
  const [, ...rest] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, [process.pid, ...rest].join('\n'))
}
