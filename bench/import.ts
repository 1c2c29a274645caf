import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { once } from 'node:events'
import { finished, pipeline } from 'node:stream/promises'
import { membertableOperations } from '@emma/core/audience/operations.ts'
import { membersTable, readDatasource } from '@emma/core/audience/datasources/datasource.ts'
import { runUpload } from '@emma/core/audience/uploads/run-upload.ts'
import { takeUpload } from '@emma/core/audience/uploads/upload-operations.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import { copyFrom } from '@emma/db/copy.ts'
import { type MemberColumn, memberColumn } from '@emma/contract/resources/membertable.ts'
import { sql } from 'kysely'
import { join } from 'node:path'
import { median, openBenchDatabase } from './bench-database.ts'

/**
 * `npm run bench:import [-- ROWS [ROUNDS]]`: uploads a file of 1,000,000 members (12 columns; duplicate, invalid and
 * suppressed addresses). Baseline, in alternation: PostgreSQL's COPY of the valid rows of the file into the same indexed
 * table. The last line is JSON: `vs_copy` is the share of COPY's rate, `rss_mb` the maximum memory of this process during
 * the imports.
 */
const ROWS = Number(process.argv[2] ?? 1_000_000)
const ROUNDS = Number(process.argv[3] ?? 3)

const columns: Pick<MemberColumn, 'column_name' | 'data_type'>[] = [
  { column_name: 'firstname', data_type: 'string' },
  { column_name: 'lastname', data_type: 'string' },
  { column_name: 'gender', data_type: 'string' },
  { column_name: 'street', data_type: 'string' },
  { column_name: 'zip', data_type: 'string' },
  { column_name: 'city', data_type: 'string' },
  { column_name: 'country', data_type: 'string' },
  { column_name: 'birthday', data_type: 'date' },
  { column_name: 'score', data_type: 'int' },
  { column_name: 'revenue', data_type: 'decimal' },
  { column_name: 'vip', data_type: 'bool' },
]
const names = ['email', ...columns.map(column => column.column_name)]

const database = await openBenchDatabase()
const { db, pool, folder } = database
try {
  const { client_id } = await db
    .insertInto('client')
    .values({ name: 'Bench' })
    .returning('client_id')
    .executeTakeFirstOrThrow()
  const actor = systemActor(client_id)
  const scope = { clientIds: [client_id] }
  await addBlacklists(client_id)
  const upload = join(folder, 'people.csv')
  const clean = join(folder, 'clean.csv')
  await writeFiles(upload, clean)
  console.log(
    `${ROWS.toLocaleString('en')} rows, ${Math.round(statSync(upload).size / 1024 ** 2)} MB, ${ROUNDS} rounds`,
  )

  const copied: number[] = []
  const imported: number[] = []
  let rss = 0
  for (let round = 1; round <= ROUNDS; round++) {
    const copyTable = await makeTable(`Copy ${round}`)
    const copyTime = await time(() => copyInto(copyTable, clean))
    copied.push(copyTime)
    const importTable = await makeTable(`Import ${round}`)
    const watch = setInterval(() => (rss = Math.max(rss, process.memoryUsage().rss)), 20)
    const importTime = await time(() => importInto(importTable))
    clearInterval(watch)
    imported.push(importTime)
    console.log(
      `round ${round}: COPY ${rate(copyTime)}/s, import ${rate(importTime)}/s, ${Math.round((copyTime / importTime) * 100)} %`,
    )
    const [a, b] = await Promise.all([count(copyTable), count(importTable)])
    if (a !== b) throw new Error(`COPY has ${a} members, the import ${b}`)
    await sql`drop table ${membersTable(copyTable)}`.execute(db)
    await sql`drop table ${membersTable(importTable)}`.execute(db)
  }
  const figures = {
    bench: 'import',
    rows: ROWS,
    copy_rows_per_s: Math.round(ROWS / median(copied)),
    import_rows_per_s: Math.round(ROWS / median(imported)),
    vs_copy: Number((median(copied) / median(imported)).toFixed(3)),
    rss_mb: Math.round(rss / 1024 ** 2),
  }
  console.log(JSON.stringify(figures))

  async function makeTable(name: string): Promise<number> {
    const made = await membertableOperations.create(db, actor, client_id, {
      name,
      emmamembertableschema: columns.map(column =>
        memberColumn.parse({ ...column, label: column.column_name }),
      ),
    })
    return Number(made.member_table_id)
  }

  /** A complete upload: stream to disk, analysis, job. */
  async function importInto(table: number): Promise<void> {
    const uploads = join(folder, 'uploads')
    const taken = await takeUpload(
      db,
      actor,
      uploads,
      { member_table_id: table },
      'people.csv',
      createReadStream(upload),
    )
    await db.updateTable('data_upload').set({ status: 2 }).where('id', '=', Number(taken.id)).execute()
    await runUpload({ db, pool, folder: uploads }, client_id, Number(taken.id))
    const done = await db
      .selectFrom('data_upload')
      .selectAll()
      .where('id', '=', Number(taken.id))
      .executeTakeFirstOrThrow()
    if (
      done.status !== 3 ||
      done.rows_duplicate === 0 ||
      done.rows_invalid === 0 ||
      done.rows_suppressed === 0
    )
      throw new Error(`The import ended wrong: ${JSON.stringify(done)}`)
  }

  async function copyInto(table: number, path: string): Promise<void> {
    const { client_id: id } = await readDatasource(db, scope, table)
    await sql`alter table ${membersTable(table)} alter column client_id set default ${sql.lit(id)}`.execute(
      db,
    )
    const client = await pool.connect()
    try {
      await pipeline(
        createReadStream(path, { highWaterMark: 256 * 1024 }),
        copyFrom(client, `copy members.t${table} (${names.join(', ')}) from stdin (format csv, header)`),
      )
    } finally {
      client.release()
    }
  }
} finally {
  await database.close()
}

async function count(table: number): Promise<number> {
  const counted = await sql<{ n: number }>`select count(*) as n from ${membersTable(table)}`.execute(db)
  return counted.rows[0]?.n ?? 0
}

async function time(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

function rate(seconds: number): string {
  return Math.round(ROWS / seconds).toLocaleString('en')
}

/** Suppresses 1 % of the addresses, and many that are not in the file. */
async function addBlacklists(clientId: number): Promise<void> {
  const { blacklist_id } = await db
    .insertInto('blacklist')
    .values({ client_id: clientId, name: 'Global', kind: 'client' })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  await sql`insert into blacklist_entry (client_id, blacklist_id, value)
    select ${clientId}::bigint, ${blacklist_id}::bigint, 'person.' || n || '@mail' || n % 50 || '.example'
    from generate_series(0, ${ROWS - 1}, 100) as n
    union all
    select ${clientId}::bigint, ${blacklist_id}::bigint, 'other.' || n || '@elsewhere.example' from generate_series(1, 90000) as n`.execute(
    db,
  )
  await sql`insert into internal_blacklist_entry (value, match)
    select 'trap' || n || '.example', 'domain' from generate_series(1, 1000) as n`.execute(db)
}

/** Writes the upload, with invalid and duplicate rows, and the file for COPY, without rows that are not imported. */
async function writeFiles(uploadPath: string, cleanPath: string): Promise<void> {
  const files = [createWriteStream(uploadPath), createWriteStream(cleanPath)] as const
  const cities = ['Berlin', 'Hamburg', 'München', 'Köln', 'Düsseldorf', 'Barcelona', 'London', 'Wien']
  const [all, good] = files
  all.write(`${names.join(',')}\n`)
  good.write(`${names.join(',')}\n`)
  // Addresses are not sorted.
  const step = 7_368_787
  for (let at = 0; at < ROWS; at++) {
    const n = Number((BigInt(at) * BigInt(step)) % BigInt(ROWS))
    const rest = [
      `First${n % 5000}`,
      n % 10 === 0 ? `"Last, ${n % 9000}"` : `Last${n % 9000}`,
      n % 2 === 0 ? 'female' : 'male',
      `Long Street ${n % 300}`,
      String(10_000 + (n % 89_999)),
      cities[n % cities.length],
      n % 3 === 0 ? 'DE' : 'ES',
      `19${50 + (n % 50)}-0${1 + (n % 9)}-1${n % 9}`,
      String(n % 1000),
      `${n % 777}.${10 + (n % 89)}`,
      n % 7 === 0 ? 'true' : 'false',
    ].join(',')
    const email = `person.${n}@mail${n % 50}.example`
    if (n % 1000 === 7) {
      all.write(`person.${n}.mail${n % 50}.example,${rest}\n`)
      continue
    }
    if (n % 1000 === 8) {
      const before = n - 2
      all.write(`PERSON.${before}@mail${before % 50}.example,${rest}\n`)
      continue
    }
    const line = `${email},${rest}\n`
    const isFull = !all.write(line)
    if (n % 100 !== 0) good.write(line)
    if (isFull) await once(all, 'drain')
  }
  for (const file of files) file.end()
  await Promise.all(files.map(file => finished(file)))
}
