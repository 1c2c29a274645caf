// `npm run check`: the checks of the sources before a commit, in less than half a minute.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installDependencies, root } from './install.mjs'
import { quickChecks } from './source-checks.mjs'

installDependencies()
const { commandEnvironment, runCommand } = await import('./run-command.mjs')

const results = await Promise.all(
  quickChecks(changedFiles()).map(async ({ name, command, args }) => {
    const { status, output, seconds } = await runCommand(command, args, commandEnvironment())
    console.log(`${status === 0 ? '✓' : '✗'} ${name}  ${seconds.toFixed(1)} s`)
    if (status !== 0) console.log(`${output.trimEnd()}\n`)
    return status === 0
  }),
)
process.exitCode = results.every(Boolean) ? 0 : 1

/** Files that differ from the last commit, including new ones. */
function changedFiles() {
  const list = (...args) => (spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout ?? '').split('\n')
  return [
    ...list('diff', '--name-only', 'HEAD'),
    ...list('ls-files', '--others', '--exclude-standard'),
  ].filter(path => path !== '' && existsSync(join(root, path)))
}
