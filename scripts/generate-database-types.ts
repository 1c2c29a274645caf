import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { migrate } from '@emma/db/migrate.ts'
import { startThrowAwayServer } from '@emma/db/test/server.ts'

/**
 * `npm run db:types`: generates packages/db/src/database-types.ts from the migrations, with a temporary server. The
 * types are those of connection.ts: of values read, and of values written. With `--check` it only checks that the
 * file is up to date.
 */
const target = fileURLToPath(new URL('../packages/db/src/database-types.ts', import.meta.url))

const server = await startThrowAwayServer()
try {
  await migrate(server.url)
  const text = format(asConnectionParses(generate(server.url)))
  if (!process.argv.includes('--check')) writeFileSync(target, text)
  else if (readFileSync(target, 'utf8') !== text) {
    console.error('database-types.ts does not fit the migrations any more. Run: npm run db:types')
    process.exitCode = 1
  }
} finally {
  await server.stop()
}

function generate(url: string): string {
  return run('kysely-codegen', [
    '--dialect=postgres',
    `--url=${url}`,
    '--print',
    '--log-level=silent',
    '--date-parser=string',
    '--numeric-parser=number',
    '--exclude-pattern=schema_migration',
  ])
}

function format(text: string): string {
  return run('biome', ['format', `--stdin-file-path=${target}`], text)
}

function run(command: string, args: string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', ...(input && { input }) })
  if (status !== 0) throw new Error(`${command} failed: ${stderr}${stdout}`)
  return stdout
}

/** kysely-codegen assumes pg's default parsers; connection.ts replaces two of them. */
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
