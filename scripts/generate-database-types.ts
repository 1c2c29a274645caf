import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { migrate } from '@emma/db/migrate.ts'
import { startThrowAwayServer } from '@emma/db/test-server.ts'

/**
 * `npm run db:types`: writes packages/db/src/database-types.ts from the migrations, over a throw-away server. The
 * types are those of connection.ts: what a value is when it arrives there, and what may be given for it.
 */
const target = fileURLToPath(new URL('../packages/db/src/database-types.ts', import.meta.url))

const server = await startThrowAwayServer()
try {
  await migrate(server.url)
  generate(server.url)
} finally {
  await server.stop()
}

function generate(url: string): void {
  const { status } = spawnSync(
    'kysely-codegen',
    [
      ['--dialect', 'postgres', '--url', url, '--out-file', target],
      ['--date-parser', 'string', '--numeric-parser', 'number'],
      ['--exclude-pattern', 'schema_migration'],
    ].flat(),
    { stdio: 'inherit' },
  )
  if (status !== 0) throw new Error('kysely-codegen failed')
  writeFileSync(target, asConnectionParses(readFileSync(target, 'utf8')))
  spawnSync('biome', ['format', '--write', target], { stdio: 'inherit' })
}

/** kysely-codegen knows pg's own parsers; connection.ts has others for two types. */
function asConnectionParses(text: string): string {
  return text
    .replace('export interface DB {', 'export interface Database {')
    .replace('type Int8 = ColumnType<string,', 'type Int8 = ColumnType<number,')
    .replace('type Timestamp = ColumnType<Date,', 'type Timestamp = ColumnType<string,')
    .replace(
      'Please do not edit it manually.',
      'Written by `npm run db:types` from the migrations: not edited by hand.',
    )
}
