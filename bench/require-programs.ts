import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Returns the path of a program, also from /usr/sbin; undefined if it is not installed. */
export function findProgram(name: string): string | undefined {
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
    .map(folder => join(folder, name))
    .find(path => existsSync(path))
}

/**
 * Exits with code 1 if a required program is missing, and prints how to install it.
 *
 * @param packages Debian package by program
 */
export function requirePrograms(packages: Readonly<Record<string, string>>): void {
  const missing = Object.entries(packages).filter(([program]) => findProgram(program) === undefined)
  if (missing.length === 0) return
  const names = missing.map(([program]) => program).join(' and ')
  const wanted = [...new Set(missing.map(([, name]) => name))].join(' ')
  console.error(`This benchmark needs ${names}, which is not here. On Debian: apt-get install ${wanted}`)
  process.exit(1)
}
