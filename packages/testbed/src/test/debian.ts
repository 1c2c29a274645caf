import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** A command line that runs one of Debian's programs. */
export type CommandLine = readonly [command: string, args: string[]]

/**
 * Returns how to run an installed program, or one that `npm test` unpacked without installing it (EMMA_DEBIAN): in
 * its own mount namespace, where the unpacked package is mounted over /usr and /etc. Null if neither is available.
 * @param name the Debian package
 * @param program its path when installed
 * @returns builds the command line; `setup` is shell code run in the namespace before it, with `args` as its `$@`:
 * its mounts are private
 */
export function findDebianProgram(
  name: string,
  program: string,
): ((args: readonly string[], setup?: string) => CommandLine) | null {
  const unpacked = join(process.env.EMMA_DEBIAN ?? '/nowhere', name)
  if (!existsSync(program) && !existsSync(join(unpacked, program))) return null
  const places = existsSync(program)
    ? []
    : ['/usr', '/etc'].filter(place => existsSync(join(unpacked, place)))
  const overlay = places
    .map(place => `mount -t overlay none -o lowerdir='${unpacked}${place}':${place} ${place}`)
    .join('\n')
  if (spawnSync(...inNamespace(overlay, 'true', [])).status !== 0) return null
  return (args, setup = '') => {
    if (overlay === '' && setup === '') return [program, [...args]]
    return inNamespace(`${overlay}\n${setup}`, program, args)
  }
}

function inNamespace(setup: string, program: string, args: readonly string[]): [string, string[]] {
  const mapping = process.getuid?.() === 0 ? [] : ['--map-root-user']
  const script = `set -e\n${setup}\nexec "$0" "$@"`
  return ['unshare', [...mapping, '--mount', 'sh', '-c', script, program, ...args]]
}
