import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunningEmma } from './launch-emma.ts'

/**
 * Process id of a role, by parent process and command line.
 *
 * @throws while there is none
 */
export function pidOf(emma: RunningEmma, role: string): number {
  const found =
    role === 'database'
      ? read(join(emma.dataFolder, 'postgres/cluster/postmaster.pid')).split('\n')[0]
      : readdirSync('/proc').find(name => /^\d+$/.test(name) && isRole(emma, name, role))
  // 0 would signal this process group.
  if (!found || Number(found) === 0) throw new Error(`There is no process of the role ${role}`)
  return Number(found)
}

function isRole(emma: RunningEmma, pid: string, role: string): boolean {
  const words = read(`/proc/${pid}/cmdline`).split('\0')
  const parent = /^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]
  return (
    Number(parent) === emma.pid &&
    words.some(word => word.endsWith('role-process.js')) &&
    words.includes(role)
  )
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
