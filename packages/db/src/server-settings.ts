import { statfsSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'

/** One line of postgresql.conf with its reason. */
export type Setting = [name: string, value: string | number, why: string]

const MB = 1024 * 1024

/**
 * Settings of the embedded server, for a machine that it shares with the program. None of them trades durability for
 * speed: a returned commit is on disk.
 */
export function productionSettings(memory = availableMemory()): Setting[] {
  const share = (part: number, least: number, most: number) =>
    `${Math.round(Math.min(most, Math.max(least, (memory * part) / MB)))}MB`
  return [
    ['max_connections', 200, 'the pools of six roles, eight engines among them, and room for a person'],
    ['superuser_reserved_connections', 3, 'the supervisor can always look in'],
    ['shared_buffers', share(1 / 8, 128, 2048), 'the program needs the rest; the page cache does its part'],
    ['effective_cache_size', share(1 / 2, 256, 65_536), 'what planner may expect to be cached'],
    ['work_mem', share(1 / 128, 8, 64), 'segment counts sort and hash; each may use this'],
    ['maintenance_work_mem', share(1 / 16, 64, 512), 'indexes after a large import'],
    ['synchronous_commit', 'on', 'the ledger promises that no mail is lost or doubled: never off'],
    ['wal_level', 'replica', 'physical backups while running'],
    ['max_wal_size', '4GB', 'an import of a million rows between two checkpoints instead of ten'],
    ['min_wal_size', '256MB', 'an idle installation does not hold 4 GB'],
    ['checkpoint_timeout', '15min', 'fewer full-page writes; recovery stays under a minute'],
    ['wal_compression', 'on', 'full-page writes are most of the log after a checkpoint'],
    ['random_page_cost', 1.1, 'solid-state disks; 4 would make the planner shun indexes'],
    [
      'max_parallel_workers_per_gather',
      parallelWorkers(),
      'a count may use the other cores, not all of them',
    ],
    ['jit', 'off', 'compiling costs 100 ms and more where queries take 10'],
    [
      'dynamic_shared_memory_type',
      sharedMemory(),
      'containers often have a /dev/shm of 64 MB: too small for it',
    ],
    ['autovacuum_vacuum_cost_limit', 2000, 'the ledger changes state several times a row: keep up with it'],
    [
      'autovacuum_analyze_scale_factor',
      0.02,
      'fresh statistics after an import, not after 10 % of a million',
    ],
    ['timezone', 'UTC', 'one clock; people see their own time zone in the console'],
    ['log_timezone', 'UTC', 'as the program’s log'],
    ['lc_messages', 'C', 'the supervisor reads a few messages'],
    ['log_line_prefix', '', 'the program’s log has the time already'],
    ['log_min_messages', 'log', 'failed statements are logged by their callers'],
    ['log_checkpoints', 'off', 'of no use to a marketer'],
  ]
}

/** For tests: without durability, which a temporary database does not need. */
export function throwAwaySettings(): Setting[] {
  return [
    ...productionSettings(512 * MB),
    ['max_connections', 300, 'many test files at once'],
    ['fsync', 'off', 'the data is thrown away'],
    ['synchronous_commit', 'off', 'the data is thrown away'],
    ['full_page_writes', 'off', 'the data is thrown away'],
    ['wal_level', 'minimal', 'the data is thrown away'],
    ['max_wal_senders', 0, 'needed for wal_level minimal'],
    [
      'max_wal_size',
      '512MB',
      'the folder may be in memory; a checkpoint that writes nothing to a disk costs little',
    ],
  ]
}

/** Formats postgresql.conf. */
export function formatSettings(settings: Setting[]): string {
  const lines = settings.map(([name, value, why]) => `${name} = '${String(value)}'  # ${why}`)
  return [
    '# Written by EMMA at each start. Settings of your own belong into ../custom.conf: they win over these.',
    ...lines,
    `include_if_exists '../custom.conf'`,
    '',
  ].join('\n')
}

/** Memory limit of the container, or of the machine. */
function availableMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

function parallelWorkers(): number {
  return Math.min(4, Math.max(1, availableParallelism() - 1))
}

function sharedMemory(): string {
  if (process.platform === 'win32') return 'windows'
  if (process.platform !== 'linux') return 'posix'
  try {
    const space = statfsSync('/dev/shm')
    return space.blocks * space.bsize < 256 * MB ? 'sysv' : 'posix'
  } catch {
    return 'sysv'
  }
}
