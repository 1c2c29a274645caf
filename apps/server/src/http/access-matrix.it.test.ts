import { permissions, tokenPermissions, type Permission } from '@emma/contract/permissions.ts'
import { demoClientId } from '@emma/contract/session.ts'
import { ensureDemoClient } from '@emma/core/account/demo-account.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shippedRoles } from '../seed/create-demo-content.ts'
import { type Answer, startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, sampleOf, type TestClient } from '../test/fixtures.ts'
import { fillPath, type TestRoute, testRoutes } from '../test/routes.ts'

/**
 * Every route × every caller × own client, foreign client, foreign record in an own path, body or filter.
 * Expectations are derived from the contract, so that new routes are covered. Sessions are cached, as in production.
 */

let app: TestApp
let ours: TestClient
let theirs: TestClient
/** Bearer token of each caller; API tokens by their one permission. */
const bearers = new Map<string, string>()
const tokens = new Map<Permission, string>()

interface Caller {
  name: string
  permissions: ReadonlySet<string>
  superadmin?: boolean
  isProgram?: boolean
}

const people: Caller[] = [
  ...shippedRoles.map(role => ({ name: role.name, permissions: new Set<string>(role.permissions) })),
  { name: 'superadmin', permissions: new Set(permissions), superadmin: true },
]
const tenants = people.filter(({ superadmin }) => !superadmin)

beforeAll(async () => {
  app = await startTestApp({ EMMA_KEPT_SECONDS: '10' })
  await ensureDemoClient(app.db)
  const superadmin = await app.logInSuperadmin()
  bearers.set('superadmin', superadmin)
  ours = await addTestClient(app, superadmin)
  theirs = await addTestClient(app, superadmin)
  for (const client of [ours, theirs]) {
    const path = `/v2/emma/client/${client.clientId}/membertable/${client.ids.membertable}/member/`
    const added = await app.call('POST', path, { token: superadmin, body: { email: 'ann@example.test' } })
    client.ids.member = Number(added.json.member_id)
    const { rows } = await app.pool.query('select result_id as id from ipci_result where client_id = $1', [
      client.clientId,
    ])
    client.ids.ipci_result = Number(rows[0].id)
  }
  for (const { name, permissions: held } of tenants) {
    const person = {
      clients: [ours.clientId],
      permissions: [...held],
      administrator: name === 'Administrator',
    }
    bearers.set(name, (await app.logIn(person)).token)
  }
  bearers.set('demo', (await app.logIn({ clients: [demoClientId, ours.clientId] })).token)
  await makeTokens()
})
afterAll(() => app.close())

/** Creates a token per permission that routes require. */
async function makeTokens(): Promise<void> {
  const { token, userId } = await app.logIn({ clients: [ours.clientId], administrator: true })
  const asked = new Set(testRoutes.map(({ permission }) => permission))
  for (const permission of tokenPermissions.filter(each => asked.has(each))) {
    const body = { name: permission, permissions: [permission], client_ids: [ours.clientId], days: 1 }
    const made = await app.call('POST', `/user/${userId}/token/`, {
      token,
      body,
      remoteAddress: nextAddress(),
    })
    tokens.set(permission, String(made.json.token))
  }
}

let asked = 0

/** Some actions are rate limited by address. */
function nextAddress(): string {
  asked += 1
  return `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}`
}

function call(
  route: TestRoute,
  path: string,
  token: string | undefined,
  body: unknown = {},
): Promise<Answer> {
  const sent = route.method === 'GET' ? {} : { body }
  return app.call(route.method, path, { token, ...sent, remoteAddress: nextAddress() })
}

/** Expected access of a caller to a route by the contract, whatever the record. */
function expected(route: TestRoute, caller: Caller | null): 'open' | 401 | 403 | 'allowed' {
  if (route.permission === 'public') return 'open'
  if (caller === null) return 401
  if (route.action?.area === 'account' && caller.isProgram) return 403
  if (route.superadminOnly && !caller.superadmin) return 403
  if (isOpen(route)) return 'allowed'
  // A path with the key of a member reads the member.
  const ofMember: Permission[] = route.path.includes('{member_id}') && route.reads ? ['EmmaMember:get'] : []
  const needed = route.permission === null ? [] : [route.permission, ...route.alsoNeeds, ...ofMember]
  return caller.superadmin || needed.every(each => caller.permissions.has(each)) ? 'allowed' : 403
}

const closed = testRoutes.filter(({ permission }) => permission !== 'public')

/** Some of the fields are readable by everybody. */
function isOpen({ method, resource }: TestRoute): boolean {
  return method === 'GET' && resource?.openFields !== undefined
}

function isForbidden(route: TestRoute, { status, error }: Answer): boolean {
  return status === 403 && (route.action?.answer === 'text' || error.code === 'forbidden')
}

/**
 * Routes that are safe to call with every permission: writes use a record that does not exist and an empty body.
 * Actions on the own account are tested in account.it.test.ts.
 */
const guarded = closed.filter(
  ({ permission, action, reads }) => !(action?.area === 'account' && (!reads || permission === null)),
)

const nobodys = '999999999'

/** Path parameters that are record keys; the others are words. */
const recordKeys = /\{(?:\w*_)?id\}/g

function ownPath(route: TestRoute, client: TestClient): string {
  return fillPath(route, client)
}

function withoutRecords(path: string): string {
  return path.replaceAll(recordKeys, name => (name === '{client_id}' ? name : nobodys))
}

/** The path in the own client, with the key of no record if the call would change one. */
function harmlessPath(route: TestRoute): string {
  if (route.reads) return ownPath(route, ours)
  return ownPath({ ...route, path: withoutRecords(route.path) }, ours)
}

function deviation(route: TestRoute, wanted: string | number, { status, text }: Answer) {
  return { route: route.title, wanted, status, text: text.slice(0, 120) }
}

/**
 * True if a response matches the expectation. Routes without a named permission check by themselves, and may reject.
 */
function fits(route: TestRoute, wanted: ReturnType<typeof expected>, { status, error }: Answer): boolean {
  if (wanted === 401 || wanted === 403) return status === wanted
  if (status >= 500 && status !== 503) return false
  if (wanted === 'open') return true
  return status !== 401 && (status !== 403 || route.permission === null || error?.code === 'not_in_demo')
}

describe('own client', () => {
  test('R155 anonymous callers reach only public routes', async () => {
    const wrong = []
    for (const route of closed)
      for (const [token, code, text] of [
        [undefined, 'no_token', 'No token found!'],
        ['rubbish.of.course', 'token_invalid', 'token invalid'],
      ] as const) {
        const answer = await call(route, ownPath(route, ours), token)
        const isTold =
          route.action?.answer === 'text' || (answer.error.code === code && answer.text.includes(text))
        if (answer.status !== 401 || !isTold) wrong.push(deviation(route, code, answer))
      }
    expect(wrong).toEqual([])
  })

  test('R143 R145 R151 no route is open to callers who lack one of its permissions and have all others', async () => {
    const wrong = []
    const withoutOne = new Map<Permission, string>()
    for (const route of closed) {
      if (route.permission === null || route.permission === 'public' || isOpen(route)) continue
      for (const lacking of [route.permission, ...route.alsoNeeds]) {
        const held = permissions.filter(permission => permission !== lacking)
        const token =
          withoutOne.get(lacking) ?? (await app.logIn({ clients: [ours.clientId], permissions: held })).token
        withoutOne.set(lacking, token)
        const answer = await call(route, ownPath(route, ours), token)
        if (!isForbidden(route, answer)) wrong.push({ lacking, ...deviation(route, 403, answer) })
      }
    }
    expect(wrong).toEqual([])
    expect(withoutOne.size).toBeGreaterThan(60)
  })

  test('superadmin routes are closed to all others, whatever their permissions', async () => {
    const wrong = []
    const { token } = await app.logIn({ clients: [ours.clientId], administrator: true })
    for (const route of closed.filter(({ superadminOnly }) => superadminOnly)) {
      const answer = await call(route, ownPath(route, ours), token)
      if (!isForbidden(route, answer)) wrong.push(deviation(route, 403, answer))
    }
    expect(wrong).toEqual([])
  })

  test.each(people)('$name has access exactly by permissions', async caller => {
    const wrong = []
    for (const route of guarded) {
      const wanted = expected(route, caller)
      const path = wanted === 403 ? ownPath(route, ours) : harmlessPath(route)
      const answer = await call(route, path, bearers.get(caller.name))
      if (!fits(route, wanted, answer)) wrong.push(deviation(route, wanted, answer))
    }
    expect(wrong).toEqual([])
  })

  test('a token with one permission has access exactly by that one', async () => {
    const wrong = []
    const other: Permission = 'Help:get'
    for (const route of guarded) {
      for (const permission of [route.permission, other]) {
        const token = permission === null || permission === 'public' ? undefined : tokens.get(permission)
        if (permission === null || permission === 'public' || token === undefined) continue
        const wanted = expected(route, { name: 'token', permissions: new Set([permission]), isProgram: true })
        const path = wanted === 403 ? ownPath(route, ours) : harmlessPath(route)
        const answer = await call(route, path, token)
        if (!fits(route, wanted, answer)) wrong.push(deviation(route, wanted, answer))
      }
    }
    expect(wrong).toEqual([])
    expect(tokens.size).toBeGreaterThan(50)
  })

  test('T11 the demo changes nothing on the server', async () => {
    const wrong = []
    for (const route of guarded.filter(({ reads }) => !reads)) {
      const answer = await call(
        route,
        ownPath(route, { ...ours, clientId: demoClientId }),
        bearers.get('demo'),
      )
      if (answer.status < 400) wrong.push(deviation(route, 'refused', answer))
    }
    expect(wrong).toEqual([])
  })
})

describe('foreign client', () => {
  let before: unknown
  beforeAll(async () => {
    before = await snapshot()
  })

  /** Records of clients; those of the installation are open to all with the permission. */
  const scoped = guarded.filter(
    ({ path, resource }) =>
      /\{(?:\w*_)?id\}/.test(path) && (resource === null || resource.tenant || resource.name === 'client'),
  )

  /** Records without a client, by the paths of their actions. */
  const shared =
    /\/(user|role|motd|guided-tour|provider|permission|testbed|translation|help|language|scd-rule)\b/i

  // Callers without access are rejected before any key is read: see above.
  test.each(tenants)('$name finds nothing of another client by its keys', async caller => {
    const wrong = []
    for (const route of scoped) {
      if (shared.test(route.path) || expected(route, caller) !== 'allowed') continue
      for (const path of [
        fillPath(route, theirs),
        // Their records in a path of our client.
        fillPath(route, { ...theirs, clientId: ours.clientId }),
      ]) {
        const hasKey = hasRecordKey(route.path)
        if (!hasKey && path.includes(`/${ours.clientId}`)) continue
        const answer = await call(route, path, bearers.get(caller.name))
        const isRefused = answer.status >= 400 && answer.status < 500
        if (!isRefused) wrong.push({ path, ...deviation(route, 'refused', answer) })
      }
    }
    expect(wrong).toEqual([])
  })

  test('an own record accepts neither a reference to another client’s record nor its client_id', async () => {
    const wrong = []
    const posts = testRoutes.filter(({ method, resource }) => method === 'POST' && resource?.tenant === true)
    for (const route of posts) {
      const { resource } = route
      if (!resource) continue
      const sample = sampleOf(resource.name, ours)
      const bodies = [
        { ...sample, client_id: theirs.clientId },
        ...Object.entries(sample)
          .filter(([field, value]) => typeof value === 'number' && field.endsWith('_id'))
          .map(([field]) => ({ ...sample, [field]: foreignKey(field) })),
      ]
      for (const body of bodies) {
        const answer = await call(route, fillPath(route, ours), bearers.get('Administrator'), body)
        if (answer.status < 400) wrong.push({ body, ...deviation(route, 'refused', answer) })
      }
    }
    expect(wrong).toEqual([])
  })

  test.each(tenants)('$name gets nothing of another client by filters', async caller => {
    const wrong = []
    const lists = testRoutes.filter(
      route =>
        route.method === 'GET' &&
        route.resource?.tenant === true &&
        !route.path.includes('record_id') &&
        expected(route, caller) === 'allowed',
    )
    for (const route of lists) {
      const own = Object.keys(route.resource?.filters ?? {}).filter(filter => filter.endsWith('_id'))
      const key = route.resource?.key ?? 'id'
      for (const query of [
        `client_id[]=${theirs.clientId}`,
        `client_id[]=${ours.clientId}&client_id[]=${theirs.clientId}`,
        'superadminview=true',
        `${key}[]=${theirs.ids[route.of] ?? 0}`,
        ...own.map(filter => `${filter}[]=${foreignKey(filter)}`),
      ]) {
        const answer = await call(route, `${fillPath(route, ours)}?${query}`, bearers.get(caller.name))
        if (answer.text.includes(`"client_id":${theirs.clientId},`) || answer.status >= 500)
          wrong.push({ query, ...deviation(route, 'nothing of theirs', answer) })
      }
    }
    expect(wrong).toEqual([])
  })

  test('their records are unchanged after all calls', async () => {
    expect(await snapshot()).toEqual(before)
  })
})

/** True if there is a key besides the client's. */
function hasRecordKey(path: string): boolean {
  return /\{(?:\w*_)?id\}/.test(path.replace('{client_id}', ''))
}

function foreignKey(field: string): number {
  const name = field.replace(/_id$/, '')
  const names: Partial<Record<string, string>> = {
    member_table: 'membertable',
    login: 'esp_login',
    campagne: 'campaign',
    setting: 'imap_setting',
  }
  return theirs.ids[names[name] ?? name] ?? theirs.ids.list ?? 0
}

/** Reads all rows of the other client, by table. */
async function snapshot(): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where column_name = 'client_id' and table_type = 'BASE TABLE' and table_schema in ('public', 'members')
    order by 1`.execute(app.db)
  const states: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ state: string }>`
      select md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as state
      from ${sql.raw(name)} t where client_id = ${theirs.clientId}`.execute(app.db)
    states[name] = rows[0]?.state ?? ''
  }
  return states
}
