// `npm run check`: the checks of the sources, in about half a minute: before a commit.
import { installDependencies } from './install.mjs'
import { quickChecks } from './source-checks.mjs'

installDependencies()
const { commandEnvironment, runCommand } = await import('./run-command.mjs')

const results = await Promise.all(
  quickChecks.map(async ({ name, command, args }) => {
    const { status, output, seconds } = await runCommand(command, args, commandEnvironment())
    console.log(`${status === 0 ? '✓' : '✗'} ${name}  ${seconds.toFixed(1)} s`)
    if (status !== 0) console.log(`${output.trimEnd()}\n`)
    return status === 0
  }),
)
process.exitCode = results.every(Boolean) ? 0 : 1
