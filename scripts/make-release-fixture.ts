import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { createDb, createPool, type Pool } from '@emma/db/connection.ts'
import { migrate } from '@emma/db/migrate.ts'
import { startThrowAwayServer } from '@emma/db/test/server.ts'
import { loadConfig } from '../apps/server/src/config.ts'
import { prepareFirstStart } from '../apps/server/src/first-start.ts'
import { createLogger } from '../apps/server/src/logger.ts'

/**
 * `node scripts/make-release-fixture.ts`, once for each release: writes the rows of a filled database of the schema as it is
 * now to apps/server/src/test/releases/NNNN.sql.gz, NNNN being the newest migration. upgrade.it.test.ts restores each of
 * them over the migrations up to its number, and upgrades it. Tables that the first start leaves empty get their rows from
 * rows.sql there.
 */
const folder = fileURLToPath(new URL('../apps/server/src/test/releases/', import.meta.url))

const server = await startThrowAwayServer()
const pool = createPool(server.url)
const dataFolder = mkdtempSync(join(tmpdir(), 'emma-release-'))
try {
  const applied = await migrate(server.url)
  await prepareFirstStart({
    config: loadConfig({
      EMMA_DATA: dataFolder,
      EMMA_SECRET: 'secret of the release fixture',
      EMMA_ADMIN_PASSWORD: 'fixture-pass-1',
    }),
    db: createDb(pool),
    pool,
    logger: createLogger('release', 'warn'),
  })
  await pool.query(readFileSync(join(folder, 'rows.sql'), 'utf8'))
  const statements = [...(await memberTables(pool)), ...(await rows(pool)), ...(await sequences(pool))]
  const file = join(folder, `${applied.at(-1)?.slice(0, 4)}.sql.gz`)
  writeFileSync(file, gzipSync(statements.join(';\n'), { level: 9 }))
  console.log(`${file}: ${statements.length} statements`)
} finally {
  await pool.end()
  await server.stop()
  rmSync(dataFolder, { recursive: true })
}

/** Statements that create the member tables, with their custom columns. */
async function memberTables(db: Pool): Promise<string[]> {
  const { rows: tables } = await db.query<{ text: string }>(`
    select format('select create_member_table(%1$s), index_member_events(%1$s)', member_table_id) as text
    from member_table order by member_table_id`)
  const { rows: columns } = await db.query<{ text: string }>(`
    select format('alter table %s add column %I %s', a.attrelid::regclass, a.attname,
      format_type(a.atttypid, a.atttypmod)) as text
    from member_table_column c
    join pg_attribute a on a.attrelid = ('members.t' || c.member_table_id)::regclass and a.attname = c.column_name
    where not c.is_fixed
    order by c.member_table_id, a.attnum`)
  return [...tables, ...columns].map(row => row.text)
}

/** One INSERT per table, referenced tables first. Rows inserted by migrations are replaced. */
async function rows(db: Pool): Promise<string[]> {
  const { rows: tables } = await db.query<{ name: string; refersTo: string[] }>(`
    select c.oid::regclass::text as name, coalesce((
      select array_agg(distinct f.confrelid::regclass::text) from pg_constraint f
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid), '{}') as "refersTo"
    from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'schema_migration'
      and c.relnamespace in ('public'::regnamespace, 'members'::regnamespace)
    order by 1`)
  const statements = [`truncate ${tables.map(table => table.name).join(', ')}`]
  const done = new Set<string>()
  while (done.size < tables.length) {
    const next = tables.filter(table => !done.has(table.name) && table.refersTo.every(name => done.has(name)))
    if (next.length === 0) throw new Error('Foreign keys go round in a circle.')
    for (const { name } of next) {
      const { rows: found } = await db.query<{ json: string | null }>(
        `select json_agg(t order by t::text)::text as json from ${name} t`,
      )
      const json = found[0]?.json
      if (!json) throw new Error(`${name} has no rows: add some to rows.sql.`)
      statements.push(
        `insert into ${name} select * from json_populate_recordset(null::${name}, $rows$${json}$rows$)`,
      )
      done.add(name)
    }
  }
  return statements
}

async function sequences(db: Pool): Promise<string[]> {
  const { rows: found } = await db.query<{ text: string }>(`
    select format('select setval(%L, %s)', format('%I.%I', schemaname, sequencename), last_value) as text
    from pg_sequences where schemaname = 'public' and last_value is not null order by sequencename`)
  return found.map(row => row.text)
}
