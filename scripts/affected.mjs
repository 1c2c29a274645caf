// `npm run affected`: the checks, and the unit, integration and screen tests that a change reaches.
// `npm run affected -- REVISION`: since that revision; without it, since the last commit.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { modernNode, root } from './install.mjs'

await import('./check.mjs')
const { commandEnvironment } = await import('./run-command.mjs')

const [since] = process.argv.slice(2)
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const projects = ['unit', 'integration', 'screens'].flatMap(name => ['--project', name])
const { status } = spawnSync(
  modernNode(),
  [vitest, 'run', ...projects, '--passWithNoTests', since ? `--changed=${since}` : '--changed'],
  { cwd: root, stdio: 'inherit', env: { ...commandEnvironment(), NODE_ENV: 'test' } },
)
process.exitCode ||= status ?? 1
