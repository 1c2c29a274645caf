import type { Client } from 'pg'
import { connected, isForbidden } from './on-server.ts'

/** What a database has after its migrations. */
export interface Migrated {
  /** Names of its tables, with that of their schema where it is not public. */
  tables: string[]
  /** Rows of the tables that are not empty, as JSON. */
  rows: { table: string; rows: string }[]
  /** Last values of the sequences that have been used, by name, as JSON. */
  sequences: string
  /** Fingerprint of everything else of its schema. */
  schema: string
}

/** Reads what `emptyDatabase` restores. */
export function readMigrated(url: string): Promise<Migrated> {
  return connected(url, async client => {
    const tables = await readTables(client)
    const rows = []
    for (const table of await readFilled(client)) rows.push({ table, rows: await readRows(client, table) })
    const sequences = await readSequences(client)
    return { tables, rows, sequences, schema: await readSchema(client) }
  })
}

/**
 * Ends all other connections and restores what the database had after its migrations: rows and sequences; tables that
 * were added are dropped.
 * @returns false if its schema was changed in another way, or if the user may not do this (EMMA_TEST_DATABASE_URL): then
 * it cannot be used again
 */
export function emptyDatabase(url: string, migrated: Migrated): Promise<boolean> {
  return connected(url, async client => {
    try {
      await client.query(endOthers)
      await client.query('begin')
      // Foreign keys are not checked, and triggers do not run: neither can object to an empty table.
      await client.query('set local session_replication_role = replica')
      const added = (await readTables(client)).filter(table => !migrated.tables.includes(table))
      for (const table of added) await client.query(`drop table if exists ${table} cascade`)
      const filled = await readFilled(client)
      for (const table of filled) await client.query(`delete from ${table}`)
      for (const { table, rows } of migrated.rows) await insertRows(client, table, rows)
      await client.query(resetSequences, [migrated.sequences])
      const isSame = (await readSchema(client)) === migrated.schema
      await client.query('commit')
      // Empty files, as in the template: rows must not come in another order than in a new database.
      if (filled.length > 0) await client.query(`vacuum ${filled.join(', ')}`)
      return isSame
    } catch (error) {
      if (isForbidden(error)) return false
      throw error
    }
  })
}

const endOthers = `
  select pg_terminate_backend(pid, 5000) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`

const usedSequences = `
  select format('%I.%I', schemaname, sequencename) as name, last_value, start_value from pg_sequences
  where last_value is not null`

const resetSequences = `
  select setval(name::regclass, coalesce(($1::jsonb ->> name)::bigint, start_value), $1::jsonb ? name)
  from (${usedSequences}) used`

const schemas = `(select oid from pg_namespace where nspname <> 'information_schema' and nspname !~ '^pg_')`

async function readTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relnamespace in ${schemas} and relkind in ('r', 'p')`,
  )
  return rows.map(({ name }) => name)
}

async function readFilled(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relnamespace in ${schemas} and relkind = 'r' and pg_relation_size(oid) > 0`,
  )
  return rows.map(({ name }) => name)
}

async function readSequences(client: Client): Promise<string> {
  const { rows } = await client.query<{ values: string }>(
    `select coalesce(jsonb_object_agg(name, last_value), '{}')::text as values from (${usedSequences}) used`,
  )
  return rows[0]?.values ?? '{}'
}

async function readRows(client: Client, table: string): Promise<string> {
  const { rows } = await client.query<{ rows: string }>(
    `select coalesce(json_agg(t), '[]')::text as rows from ${table} t`,
  )
  return rows[0]?.rows ?? '[]'
}

async function insertRows(client: Client, table: string, rows: string): Promise<void> {
  await client.query(
    `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
    [rows],
  )
}

/** Transaction ids of the catalog's rows change with them. */
async function readSchema(client: Client): Promise<string> {
  const ours = `in (select oid from pg_class where relnamespace in ${schemas})`
  const parts = [
    `select count(*), sum(xmin::text::bigint) from pg_attribute where attrelid ${ours}`,
    `select count(*), sum(xmin::text::bigint) from pg_attrdef where adrelid ${ours}`,
    `select count(*), sum(xmin::text::bigint) from pg_constraint where conrelid ${ours}`,
    `select count(*), sum(xmin::text::bigint) from pg_trigger where tgrelid ${ours}`,
    `select count(*), sum(indexrelid::bigint) from pg_index where indrelid ${ours}`,
    `select count(*), sum(xmin::text::bigint) from pg_proc where pronamespace in ${schemas}`,
    `select count(*), sum(xmin::text::bigint) from pg_type where typnamespace in ${schemas}`,
    `select count(*), sum(oid::bigint) from pg_class where relnamespace in ${schemas}`,
    `select count(*), sum(oid::bigint) from ${schemas} as namespace`,
  ]
  const { rows } = await client.query({ text: parts.join(' union all '), rowMode: 'array' })
  return JSON.stringify(rows)
}
