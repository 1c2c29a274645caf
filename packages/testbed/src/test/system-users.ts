import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the machine's users and groups, plus those that a server needs. */
export function writeUsers(
  folder: string,
  users: Record<string, number>,
  groups: Record<string, number>,
): void {
  const passwd = Object.entries(users).map(([name, id]) => `${name}:x:${id}:${id}::/:/bin/false\n`)
  const group = Object.entries(groups).map(([name, id]) => `${name}:x:${id}:\n`)
  for (const [file, entries] of Object.entries({ passwd, group })) {
    const existing = readFileSync(`/etc/${file}`, 'utf8')
    const missing = entries.filter(entry => !existing.includes(`\n${entry.slice(0, entry.indexOf(':') + 1)}`))
    writeFileSync(join(folder, file), existing + missing.join(''))
  }
}

/** Shell commands that mount them in a namespace. */
export function withUsers(folder: string): string {
  return `mount --bind '${folder}/passwd' /etc/passwd\nmount --bind '${folder}/group' /etc/group`
}
