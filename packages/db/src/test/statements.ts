import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect } from 'vitest'

/**
 * Set-up of the integration project: with EMMA_TEST_STATEMENTS naming a folder, every statement of a test file is
 * stored there, once. `npm test` has PostgreSQL 15 prepare them all.
 */
const folder = process.env['EMMA_TEST_STATEMENTS']

/** These read a server's catalog first. */
const catalogReaders = ['embedded-server.it.test.ts', 'utf8-address.it.test.ts']
// oxlint-disable-next-line vitest/no-standalone-expect
const isHeard = !catalogReaders.some(file => expect.getState().testPath?.endsWith(file))

if (folder && isHeard) {
  const heard = new Set<string>()
  const { prototype } = pg.Client
  // Replaced in its place, where it keeps its `this`.
  // oxlint-disable-next-line typescript/unbound-method
  const { query } = prototype
  prototype.query = new Proxy(query, {
    apply(target, client, args: unknown[]) {
      const text = textOf(args[0])
      if (text !== null) heard.add(text)
      return Reflect.apply(target, client, args)
    },
  })
  afterAll(() => {
    // The next test file of this process installs its own listener.
    prototype.query = query
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify([...heard]))
  })
}

function textOf(query: unknown): string | null {
  if (typeof query === 'string') return query
  const isQuery = typeof query === 'object' && query !== null && 'text' in query
  return isQuery && typeof query.text === 'string' ? query.text : null
}
