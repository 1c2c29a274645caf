import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of a program, also of one for administrators; undefined where it is not on this machine. */
export function findProgram(name: string): string | undefined {
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
    .map(folder => join(folder, name))
    .find(path => existsSync(path))
}

/**
 * Ends the benchmark, before it has begun anything, when a program that it measures with or against is not here; says which,
 * and where to get it.
 *
 * @param packages Debian's package of each program
 */
export function requirePrograms(packages: Readonly<Record<string, string>>): void {
  const missing = Object.entries(packages).filter(([program]) => findProgram(program) === undefined)
  if (missing.length === 0) return
  const names = missing.map(([program]) => program).join(' and ')
  const wanted = [...new Set(missing.map(([, name]) => name))].join(' ')
  console.error(`This benchmark needs ${names}, which is not here. On Debian: apt-get install ${wanted}`)
  process.exit(1)
}
