import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { startThrowAwayServer } from '@emma/db/test-server.ts'

/**
 * `npm run test:pg15`: the integration tests on Debian's PostgreSQL 15, the oldest version EMMA promises to run on.
 * Arguments go to vitest.
 */
const binaries = process.env['EMMA_PG15'] ?? '/usr/lib/postgresql/15/bin'

if (!existsSync(`${binaries}/initdb`)) {
  console.error(
    `There is no PostgreSQL 15 in ${binaries}. Install Debian's package "postgresql-15" (the server it starts is not ` +
      'used and may be disabled), or name the folder of its programs in EMMA_PG15.',
  )
  process.exit(1)
}

/** These start the embedded server themselves, or ask no database: they would test the same again. */
const unchanged = [
  '**/embedded-server.it.test.ts',
  '**/start.it.test.ts',
  '**/kill-*.it.test.ts',
  '**/real-mta.it.test.ts',
].flatMap(file => ['--exclude', file])

const server = await startThrowAwayServer(binaries)
try {
  const { status } = spawnSync(
    'vitest',
    ['run', '--project', 'integration', ...unchanged, ...process.argv.slice(2)],
    {
      stdio: 'inherit',
      env: { ...process.env, EMMA_TEST_DATABASE_URL: server.url },
    },
  )
  process.exitCode = status ?? 1
} finally {
  await server.stop()
}
