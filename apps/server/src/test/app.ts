import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ErrorBody } from '@emma/contract/errors.ts'
import { permissions as everyPermission } from '@emma/contract/permissions.ts'
import { openSession } from '@emma/core/account/sessions.ts'
import type { Fields } from '@emma/core/resource/operations.ts'
import type { Pool, Db } from '@emma/db/connection.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { type Config, loadConfig } from '../config.ts'
import { createLogger } from '../logger.ts'
import { createApi } from '../http/create-api.ts'

/** A response. `json` is null for an empty one, `error` the body of a rejection. */
export interface Answer {
  status: number
  headers: Record<string, unknown>
  text: string
  json: Fields
  error: ErrorBody
}

export interface Ask {
  token?: string | undefined
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged, with `headers`. */
  payload?: string | Buffer
  headers?: Record<string, string>
  remoteAddress?: string
}

/** The real API with its own database, called without network. */
export interface TestApp {
  app: FastifyInstance
  config: Config
  db: Db
  pool: Pool
  /** Calls `/api{path}`. */
  call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, ask?: Ask): Promise<Answer>
  /** Creates a user with a session, and returns its token. Default: all permissions. */
  logIn(person: Person): Promise<{ token: string; userId: number; roleId: number }>
  logInSuperadmin(): Promise<string>
  close(): Promise<void>
}

export interface Person {
  clients: readonly number[]
  permissions?: readonly string[]
  superadmin?: boolean
  administrator?: boolean
}

/** @param given an existing database instead of a new, empty one; dropped at the end as well */
export async function startTestApp(
  environment: Record<string, string> = {},
  given?: TestDatabase,
): Promise<TestApp> {
  const database = given ?? (await createTestDatabase())
  const folder = mkdtempSync(join(tmpdir(), 'emma-test-app-'))
  const config = loadConfig({
    EMMA_DATA: folder,
    EMMA_SECRET: 'a secret for tests only',
    DATABASE_URL: database.url,
    NODE_ENV: 'test',
    EMMA_CHROMIUM: 'none',
    // Suites change permissions in the database and call in the same millisecond.
    EMMA_KEPT_SECONDS: '0',
    // A suite sends more calls as one user than a real user per minute.
    EMMA_CALLS_PER_MINUTE: '1000000',
    ...environment,
  })
  const { db, pool } = database
  const app = await createApi({ config, db, pool, logger: createLogger('api', 'silent') })
  await app.ready()
  let asked = 0
  let people = 0

  const testApp: TestApp = {
    app,
    config,
    db,
    pool,
    async call(method, path, { token, body, payload, headers, remoteAddress } = {}) {
      asked += 1
      const request: InjectOptions = {
        method,
        url: `/api${path}`,
        // Suites exceed the rate limit of one address.
        remoteAddress: remoteAddress ?? `10.0.0.${1 + (Math.floor(asked / 500) % 250)}`,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      }
      const sent = body === undefined ? payload : JSON.stringify(body)
      const response = await app.inject(sent === undefined ? request : { ...request, payload: sent })
      const isJson = response.body !== '' && String(response.headers['content-type']).includes('json')
      const json = isJson ? JSON.parse(response.body) : null
      return {
        status: response.statusCode,
        headers: response.headers,
        text: response.body,
        json,
        error: json,
      }
    },
    async logIn({ clients, permissions = everyPermission, superadmin = false, administrator = false }) {
      people += 1
      const { id: userId } = await db
        .insertInto('app_user')
        .values({
          username: `person${people}`,
          email: `person${people}@example.test`,
          firstname: 'Pat',
          lastname: `Person ${people}`,
          superadmin,
          administrator,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const { id: roleId } = await db
        .insertInto('role')
        .values({ name: `Role of person ${people}`, permissions: [...permissions] })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.insertInto('user_role').values({ user_id: userId, role_id: roleId }).execute()
      for (const [position, client_id] of clients.entries()) {
        await db.insertInto('user_client').values({ user_id: userId, client_id }).execute()
        await db.insertInto('user_settings').values({ user_id: userId, client_id, position }).execute()
      }
      const key = config.deriveKey('session')
      const token = await openSession(db, key, userId, { ip: null, userAgent: null })
      return { token, userId, roleId }
    },
    async logInSuperadmin() {
      const { token } = await testApp.logIn({ clients: [], superadmin: true })
      return token
    },
    async close() {
      await app.close()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return testApp
}
