// `npm test`: installs, then runs every check and test there is. The last line counts them all.
// `npm test -- packages/mail e2e/sending`: the tests of these paths alone.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { findChromium, findMailPrograms, findPostgres15 } from './find-programs.mjs'
import { installDependencies, modernNode, root } from './install.mjs'

installDependencies()
const node = modernNode()

const bin = join(root, 'node_modules/.bin')
const chromium = findChromium()
const postgres15 = findPostgres15()
const environment = {
  ...process.env,
  PATH: [bin, process.env.PATH].join(delimiter),
  // The output goes to logs as often as to a terminal.
  NO_COLOR: '1',
  ...(chromium && { EMMA_CHROMIUM: chromium }),
  ...(postgres15 && { EMMA_PG15: postgres15 }),
  EMMA_DEBIAN: findMailPrograms(),
}
delete environment.FORCE_COLOR

const reports = mkdtempSync(join(tmpdir(), 'emma-test-reports-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

const statements = join(reports, 'statements')
const paths = process.argv.slice(2)
const files = []
let passed = 0
let failed = 0
let skipped = 0

if (paths.length === 0) await checkSources()
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
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function checkSources() {
  await check('format', 'biome', ['format', '.'])
  await check('lint', 'oxlint', ['--type-aware'])
  await check('types', 'tsc', ['--noEmit', '-p', 'tsconfig.json'])
  await check('imports', 'node', ['scripts/check-imports.ts'])
  await check('database types', 'node', ['scripts/generate-database-types.ts', '--check'])
  await check('coverage of the requirements', 'node', ['scripts/generate-coverage.ts', '--check'])
  await check('unused', 'knip', ['--no-config-hints'])
}

async function onPostgres15() {
  if (!postgres15) {
    console.log('- PostgreSQL 15 is not here and cannot be installed: its tests are left out')
    return
  }
  await check('statements on PostgreSQL 15', 'node', ['scripts/check-statements.ts', statements])
  await tests('integration tests on PostgreSQL 15', 'node', ['scripts/test-pg15.ts'])
}

/** A command that either works or does not. */
async function check(name, command, args) {
  const { status, output, seconds } = await run(command, args)
  if (status === 0) passed++
  record(name, status === 0 ? 0 : 1, output, seconds)
}

/** A run of vitest, counted by its tests. What breaks outside of a test counts as one that failed. */
async function tests(name, command, args) {
  const report = join(reports, `${name.replaceAll(' ', '-')}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { status, output, seconds } = await run(command, [...args, '--passWithNoTests', ...reporters])
  const { numPassedTests, numPendingTests, broken } = readReport(report)
  passed += numPassedTests
  skipped += numPendingTests
  record(`${name} (${numPassedTests} passed)`, status === 0 ? broken : Math.max(1, broken), output, seconds)
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

function record(name, failures, output, seconds) {
  failed += failures
  console.log(
    `${failures === 0 ? '✓' : '✗'} ${name}${seconds === undefined ? '' : `  ${seconds.toFixed(1)} s`}`,
  )
  if (failures > 0) console.log(`${output.trimEnd()}\n`)
}

/** Runs a command with its output held back; on Ctrl-C everything ends. */
function run(command, args) {
  const started = Date.now()
  return new Promise(settle => {
    const program = spawn(command === 'node' ? node : join(bin, command), args, {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    let output = ''
    for (const stream of [program.stdout, program.stderr])
      stream.setEncoding('utf8').on('data', text => {
        output += text
      })
    program.on('error', error => settle({ status: 1, output: `${output}\n${error.message}`, seconds: 0 }))
    program.on('close', status => settle({ status, output, seconds: (Date.now() - started) / 1000 }))
  })
}
