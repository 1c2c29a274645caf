import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { startThrowAwayServer } from '@emma/db/test/server.ts'
import { useMemoryFolder } from './use-memory-folder.ts'

/**
 * `npm run test:pg15`: the integration tests on Debian's PostgreSQL 15, the oldest version EMMA promises to run on: those
 * of what a version may do differently although it takes every statement (plans, locks, COPY, NOTIFY, the tables of
 * datasources; for the statements see check-statements.ts). `npm test` runs it with CI=true only, and then those of all
 * packages, but not of the server, whose tests call the same operations through HTTP. Arguments go to vitest; paths among
 * them replace the selection.
 */
const binaries = process.env['EMMA_PG15'] ?? '/usr/lib/postgresql/15/bin'

if (!existsSync(`${binaries}/initdb`)) {
  console.error(
    `There is no PostgreSQL 15 in ${binaries}. Install Debian's package "postgresql-15" (the server it starts is not ` +
      'used and may be disabled), or name the folder of its programs in EMMA_PG15.',
  )
  process.exit(1)
}

const dependent = [
  'packages/db/',
  'packages/core/src/audience/datasources/',
  'packages/core/src/audience/segments/',
  'packages/core/src/audience/uploads/',
  'packages/core/src/events/',
  'packages/delivery/src/1-expand/expand-campaign',
  'packages/delivery/src/2-claim/claim',
  'apps/server/src/http/list-plans',
]

/**
 * Tests that start the embedded server themselves, attack the HTTP and SMTP servers, deliver, or wait for clocks: no
 * version changes them. Thorough ones send the statements of others, with more values.
 */
const unchanged = [
  '**/embedded-server.it.test.ts',
  '**/start.it.test.ts',
  '**/{kill,engine-kill}*.it.test.ts',
  '**/4-deliver/**',
  '**/{engine-limits,engine-ends,engine-forbidden,limits-clocks*,time-slices,utf8-address}.it.test.ts',
  '**/hostile-{load,inbound,tracking}*.it.test.ts',
  '**/*.thorough.it.test.ts',
].flatMap(file => ['--exclude', file])

const given = process.argv.slice(2)
const namesPaths = given.some(argument => !argument.startsWith('-'))
const selected = process.env['CI'] === 'true' ? [...dependent, 'packages/'] : dependent

useMemoryFolder()
const server = await startThrowAwayServer(binaries)
try {
  const { status } = spawnSync(
    'vitest',
    ['run', '--project', 'integration', ...unchanged, ...(namesPaths ? [] : selected), ...given],
    {
      stdio: 'inherit',
      env: { ...process.env, EMMA_TEST_DATABASE_URL: server.url },
    },
  )
  process.exitCode = status ?? 1
} finally {
  await server.stop()
}
