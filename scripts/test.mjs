// `npm test`: installs, then runs every check and test there is. The last line counts them all.
// `npm test -- packages/mail e2e/console`: the tests of these paths alone.
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
let postgres15
/** Of all commands; complete when `findPrograms` has returned. */
const environment = {
  ...commandEnvironment(),
  ...(chromium && { EMMA_CHROMIUM: chromium }),
  NODE_ENV: 'test',
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

// Two phases at a time where one alone leaves cores without work.
await Promise.all([
  runCommand('node', ['scripts/fetch-programs.mjs'], environment),
  checkSources().then(buildAll),
  tests('unit tests', ['--project', 'unit', ...paths]),
])
findPrograms()
await tests('integration tests', ['--project', 'integration', ...paths], {
  ...(postgres15 && { EMMA_TEST_STATEMENTS: statements }),
})
await Promise.all([testOnPostgres15().then(testScreens), testJourneys()])

console.log('\nThe slowest files:')
for (const { seconds, name } of files.sort((one, other) => other.seconds - one.seconds).slice(0, 25))
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`)
if (skipped > 0) console.log(`\n${skipped} skipped`)
console.log(`\nIn ${Math.round((Date.now() - started) / 1000)} s`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** Those that could be fetched are here by now. */
function findPrograms() {
  const { folder, missing } = findMailPrograms()
  postgres15 = findPostgres15()
  if (!postgres15) missing.push('PostgreSQL 15 is not here and cannot be installed')
  for (const program of missing) console.log(`- ${program}: its tests are left out`)
  if (process.env.CI) record('every program that tests need', missing.length, missing.join('\n'))
  Object.assign(environment, {
    ...(postgres15 && { EMMA_PG15: postgres15 }),
    EMMA_DEBIAN: folder,
  })
}

async function checkSources() {
  if (paths.length > 0) return
  for (const { name, command, args } of sourceChecks) await check(name, command, args)
}

async function buildAll() {
  const vite = 'node_modules/vite/bin/vite.js'
  for (const name of ['console', 'server'])
    await check(`${name} build`, 'node', [vite, 'build', `apps/${name}`], { NODE_ENV: 'production' })
  await check('console size', 'node', ['scripts/check-size.ts'])
}

async function testOnPostgres15() {
  if (!postgres15 || paths.length > 0) return
  await check('statements on PostgreSQL 15', 'node', ['scripts/check-statements.ts', statements])
  if (process.env.CI) await runTests('integration tests on PostgreSQL 15', 'node', ['scripts/test-pg15.ts'])
}

function testScreens() {
  return testInBrowser('screens', 'screens')
}

function testJourneys() {
  return testInBrowser('browser journeys', 'e2e')
}

async function testInBrowser(name, project) {
  if (chromium) await tests(name, ['--project', project, ...paths])
  else record(name, 1, 'There is no Chromium. Install it, or name its program in EMMA_CHROMIUM.')
}

/** A command that either works or does not. */
async function check(name, command, args, more = {}) {
  const { status, output, seconds } = await runCommand(command, args, { ...environment, ...more })
  if (status === 0) passed++
  record(name, status === 0 ? 0 : 1, output, seconds)
}

function tests(name, args, more = {}) {
  return runTests(name, 'vitest', ['run', ...args], more)
}

/** A run of vitest, counted by its tests. What breaks outside of a test counts as one that failed. */
async function runTests(name, command, args, more = {}) {
  const report = join(reports, `${name.replaceAll(' ', '-')}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { status, output, seconds } = await runCommand(
    command,
    [...args, '--passWithNoTests', ...reporters],
    { ...environment, ...more },
    showFile,
  )
  const { numPassedTests, numPendingTests, broken } = readReport(report)
  passed += numPassedTests
  skipped += numPendingTests
  const failures = status === 0 ? broken : Math.max(1, broken)
  record(name, failures, output, seconds, ` (${numPassedTests} passed)`)
}

/** Shows the line that vitest prints for a finished test file. */
function showFile(line) {
  if (/^ \S \|/.test(line)) console.log(` ${line}`)
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
