import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError, type QueryResult } from 'pg'

const INSUFFICIENT_PRIVILEGE = '42501'

/** Calls a function with a connection of its own, and closes it. */
export async function connected<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  // A server that ends the connection between two queries tells nobody else, and what nobody hears ends the process.
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Runs one statement. */
export function execute(url: string, statement: string): Promise<QueryResult> {
  return connected(url, client => client.query(statement))
}

/**
 * FORCE: a connection that the test forgot, or one that is closing, must not fail the clean-up. A running autovacuum
 * belongs to a superuser and cannot be terminated by the tests' user: it finishes in a moment.
 */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  for (let left = 100; ; left--) {
    try {
      await execute(serverUrl, `drop database if exists ${name} with (force)`)
      return
    } catch (error) {
      if (!isForbidden(error) || left === 0) throw error
      await sleep(100)
    }
  }
}

/** Whether the user lacks a privilege. */
export function isForbidden(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === INSUFFICIENT_PRIVILEGE
}
