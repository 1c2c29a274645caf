// `npm test`: installs, then runs every check and test there is. The last line counts them all.
// `npm test -- packages/mail e2e/sending`: the tests of these paths alone.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { judgeSeconds } from './budgets.mjs'
import { findChromium, findMailPrograms, findPostgres15 } from './find-programs.mjs'
import { installDependencies, root } from './install.mjs'
import { sourceChecks } from './source-checks.mjs'

installDependencies()
const { commandEnvironment, runCommand } = await import('./run-command.mjs')

const chromium = findChromium()
const postgres15 = findPostgres15()
const { folder: mailPrograms, missing } = findMailPrograms()
if (!postgres15) missing.push('PostgreSQL 15 is not here and cannot be installed')
const environment = {
  ...commandEnvironment(),
  ...(chromium && { EMMA_CHROMIUM: chromium }),
  ...(postgres15 && { EMMA_PG15: postgres15 }),
  EMMA_DEBIAN: mailPrograms,
}

const reports = mkdtempSync(join(tmpdir(), 'emma-test-reports-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

const statements = join(reports, 'statements')
const paths = process.argv.slice(2)
const files = []
let passed = 0
let failed = 0
let skipped = 0
const started = Date.now()

for (const program of missing) console.log(`- ${program}: its tests are left out`)
if (process.env.CI) record('every program that tests need', missing.length, missing.join('\n'))

if (paths.length === 0) for (const { name, command, args } of sourceChecks) await check(name, command, args)
environment.NODE_ENV = 'production'
await check('console build', 'node', ['node_modules/vite/bin/vite.js', 'build', 'apps/console'])
await check('console size', 'node', ['scripts/check-size.ts'])
environment.NODE_ENV = 'test'
await tests('unit tests', 'vitest', ['run', '--project', 'unit', ...paths])
if (postgres15) environment.EMMA_TEST_STATEMENTS = statements
await tests('integration tests', 'vitest', ['run', '--project', 'integration', ...paths])
delete environment.EMMA_TEST_STATEMENTS
if (paths.length === 0) await onPostgres15()
if (chromium) await tests('browser journeys', 'vitest', ['run', '--project', 'e2e', ...paths])
else record('browser journeys', 1, 'There is no Chromium. Install it, or name its program in EMMA_CHROMIUM.')

console.log('\nThe slowest files:')
for (const { seconds, name } of files.sort((one, other) => other.seconds - one.seconds).slice(0, 25))
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`)
if (skipped > 0) console.log(`\n${skipped} skipped`)
console.log(`\nIn ${Math.round((Date.now() - started) / 1000)} s`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function onPostgres15() {
  if (!postgres15) return
  await check('statements on PostgreSQL 15', 'node', ['scripts/check-statements.ts', statements])
  await tests('integration tests on PostgreSQL 15', 'node', ['scripts/test-pg15.ts'])
}

/** A command that either works or does not. */
async function check(name, command, args) {
  const { status, output, seconds } = await runCommand(command, args, environment)
  if (status === 0) passed++
  record(name, status === 0 ? 0 : 1, output, seconds)
}

/** A run of vitest, counted by its tests. What breaks outside of a test counts as one that failed. */
async function tests(name, command, args) {
  const report = join(reports, `${name.replaceAll(' ', '-')}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { status, output, seconds } = await runCommand(
    command,
    [...args, '--passWithNoTests', ...reporters],
    environment,
  )
  const { numPassedTests, numPendingTests, broken } = readReport(report)
  passed += numPassedTests
  skipped += numPendingTests
  const failures = status === 0 ? broken : Math.max(1, broken)
  record(name, failures, output, seconds, ` (${numPassedTests} passed)`)
}

function readReport(file) {
  if (!existsSync(file)) return { numPassedTests: 0, numPendingTests: 0, broken: 1 }
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  for (const { name, startTime, endTime } of testResults)
    files.push({ name: relative(root, name), seconds: (endTime - startTime) / 1000 })
  const brokenFiles = testResults.filter(
    result => result.status === 'failed' && !result.assertionResults.some(test => test.status === 'failed'),
  )
  return { numPassedTests, numPendingTests, broken: numFailedTests + brokenFiles.length }
}

function record(name, failures, output, seconds, count = '') {
  const { words, isOver } = judgeSeconds(name, seconds)
  failed += failures + (isOver ? 1 : 0)
  const took = seconds === undefined ? '' : `  ${seconds.toFixed(1)} s${words}`
  console.log(`${failures === 0 && !isOver ? '✓' : '✗'} ${name}${count}${took}`)
  if (failures > 0) console.log(`${output.trimEnd()}\n`)
}
