import { memberColumn } from '@emma/contract/resources/membertable.ts'
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { createApi } from '@emma/server/http/create-api.ts'
import { loadConfig } from '@emma/server/config.ts'
import { createLogger } from '@emma/server/logger.ts'
import { openSession } from '@emma/core/account/sessions.ts'
import { membertableOperations } from '@emma/core/audience/operations.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import { createDb } from '@emma/db/connection.ts'
import { createPool } from '@emma/db/connection.ts'
import fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { median, openBenchDatabase } from './bench-database.ts'

/**
 * `npm run bench:list [-- ROWS [ROUNDS]]`: lists of 25 from 1,000,000 campaigns and members over the whole API (session,
 * permissions, parsing, total). Baseline, in alternation: a Fastify route that sends the same bytes from one SELECT on the
 * same pool. A separate process generates the load. The last line is JSON: `vs_bare` is the lower ratio of requests per
 * second.
 */
const ROWS = Number(process.argv[2] ?? 1_000_000)
const ROUNDS = Number(process.argv[3] ?? 9)
const SECONDS = 2
const CONNECTIONS = 10
const client_id = 1

const run = promisify(execFile)
const autocannon = createRequire(import.meta.url).resolve('autocannon/autocannon.js')
const database = await openBenchDatabase()
const pool = createPool(database.url, { max: 20, applicationName: 'emma bench' })
const db = createDb(pool)
const servers: FastifyInstance[] = []
try {
  const tableId = await fill()
  const config = loadConfig({
    EMMA_DATA: database.folder,
    EMMA_SECRET: 'a secret for benchmarks',
    DATABASE_URL: database.url,
    EMMA_CALLS_PER_MINUTE: '100000000',
    EMMA_ADDRESS_CALLS_PER_MINUTE: '100000000',
  })
  const api = await createApi({ config, db, pool, logger: createLogger('api', 'silent') })
  const bare = fastify()
  servers.push(api, bare)
  const token = await openSession(db, config.deriveKey('session'), await addPerson(), {
    ip: null,
    userAgent: null,
  })
  const lists = {
    campaigns: { path: '/api/emma/campaign/', table: 'campaign', key: 'campagne_id' },
    members: {
      path: `/api/v2/emma/client/${client_id}/membertable/${tableId}/member/`,
      table: `members.t${tableId}`,
      key: 'member_id',
    },
  }
  const answers = new Map<string, string>()
  for (const [name, { path, table, key }] of Object.entries(lists)) {
    const answer = await api.inject({
      url: `${path}?limit=25`,
      headers: { authorization: `Bearer ${token}` },
    })
    const { data, pagination } = answer.json<{
      data: Record<string, unknown>[]
      pagination: { total: number }
    }>()
    if (data.length !== 25 || pagination.total !== ROWS)
      throw new Error(`${name}: ${answer.body.slice(0, 300)}`)
    bare.get(`/${name}`, bareList(table, key, data, pagination))
    answers.set(name, answer.body)
  }
  for (const [name, body] of answers)
    if ((await bare.inject(`/${name}`)).body !== body)
      throw new Error(`${name}: the bare route sends other bytes`)
  const apiUrl = await api.listen({ port: 0, host: '127.0.0.1' })
  const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' })

  const results = []
  for (const [name, { path }] of Object.entries(lists)) {
    const rates: { api: number; bare: number }[] = []
    // The first round is a warm-up.
    for (let round = 0; round <= ROUNDS; round++) {
      const ofBare = await load(`${bareUrl}/${name}`)
      const ofApi = await load(`${apiUrl}${path}?limit=25`, token)
      if (round > 0) rates.push({ api: ofApi, bare: ofBare })
    }
    const ratio = median(rates.map(rate => rate.api / rate.bare))
    results.push({ list: name, ...best(rates), ratio })
  }
  console.table(results.map(result => ({ ...result, ratio: result.ratio.toFixed(2) })))
  console.log(
    JSON.stringify({
      bench: 'list',
      rows: ROWS,
      vs_bare: Number(Math.min(...results.map(result => result.ratio)).toFixed(3)),
      ...Object.fromEntries(results.map(({ list, ratio }) => [list, Number(ratio.toFixed(3))])),
    }),
  )
} finally {
  for (const server of servers) await server.close()
  await pool.end()
  await database.close()
}

/** Returns requests per second. */
async function load(url: string, token?: string): Promise<number> {
  const headers = token === undefined ? [] : ['-H', `authorization=Bearer ${token}`]
  const { stdout } = await run(process.execPath, [
    autocannon,
    '--json',
    '-c',
    String(CONNECTIONS),
    '-d',
    String(SECONDS),
    ...headers,
    url,
  ])
  const { requests, non2xx, errors } = JSON.parse(stdout)
  if (non2xx > 0 || errors > 0) throw new Error(`${url}: ${non2xx} refused, ${errors} broken`)
  return requests.average
}

/** One SELECT and JSON. Values that are not in the row (computed fields, the total) are passed in. */
function bareList(table: string, key: string, data: Record<string, unknown>[], pagination: object) {
  const fields = Object.keys(data[0] ?? {})
  return async (): Promise<unknown> => {
    const { rows } = await pool.query(
      `select * from ${table} where client_id = $1 order by ${key} desc limit 25`,
      [client_id],
    )
    const shown = rows.map((row, index) =>
      Object.fromEntries(fields.map(field => [field, field in row ? row[field] : data[index]?.[field]])),
    )
    return { data: shown, included: [], pagination }
  }
}

function best(rates: readonly { api: number; bare: number }[]) {
  return {
    api: Math.round(median(rates.map(rate => rate.api))),
    bare: Math.round(median(rates.map(rate => rate.bare))),
  }
}

async function fill(): Promise<number> {
  await sql`insert into client (client_id, name) values (${client_id}, 'Bench')`.execute(db)
  const made = await membertableOperations.create(db, systemActor(client_id), client_id, {
    name: 'People',
    emmamembertableschema: [
      { column_name: 'firstname', label: 'First name', data_type: 'string' },
      { column_name: 'city', label: 'City', data_type: 'string' },
      { column_name: 'points', label: 'Points', data_type: 'int' },
    ].map(column => memberColumn.parse(column)),
  })
  const id = Number(made.member_table_id)
  const filling = database.db
  await sql`insert into ${sql.table(`members.t${id}`)} (client_id, email, firstname, city, points)
    select ${client_id}, 'person.' || n || '@example.com', 'Pat', 'City ' || n % 20, n % 400
    from generate_series(1, ${ROWS}::int) as n`.execute(filling)
  await sql`insert into campaign (client_id, name, subject, fromadr, startdate, member_table_id)
    select ${client_id}, 'Campaign ' || n, 'News ' || n, 'news@example.com', now() - make_interval(mins => n), ${id}
    from generate_series(1, ${ROWS}::int) as n`.execute(filling)
  for (const table of [`members.t${id}`, 'campaign'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(filling)
  return id
}

/** Adds a user who is not a superadmin and has the permissions by a role. */
async function addPerson(): Promise<number> {
  const found = await sql<{ id: number }>`
    with person as (
      insert into app_user (username, email, firstname, lastname) values ('bench', 'bench@example.com', 'B', 'E') returning id
    ), held as (
      insert into role (name, permissions)
      values ('All', array['EmmaCampaign:get', 'EmmaMember:get', 'EmmaMemberTable:get', 'EmmaList:get']) returning id
    ), tie as (insert into user_role select person.id, held.id from person, held),
    place as (insert into user_client select id, ${client_id} from person)
    insert into user_settings (user_id, client_id) select id, ${client_id} from person returning user_id as id`.execute(
    db,
  )
  const id = found.rows[0]?.id
  if (id === undefined) throw new Error('The person was not made')
  return id
}
