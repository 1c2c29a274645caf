import { permissions } from '@emma/contract/permissions.ts'
import type { SessionClaims } from '@emma/contract/session.ts'
import { expect, test } from 'vitest'
import { router } from './router.ts'
import { navigation } from './shell/layout/navigation.ts'
import type { ScreenInfo } from './shell/layout/screen-info.ts'
import { isOffered, mayOpen, missingRights } from './shell/session/may-open.ts'
import { restartPath } from './shell/session/restart-path.ts'
import { noSession, type SessionState } from './shell/session/session-store.ts'
import { addresses, confirmations, sharedAddresses, systemAddresses } from './specified-addresses.ts'

const routes: Record<string, { options: { staticData?: { screen?: ScreenInfo } } }> = router.routesByPath
const screenOf = (path: string) => routes[path]?.options.staticData?.screen

const needing = addresses.filter(([, ...permissions]) => permissions.length > 0)
const open = addresses.filter(([, ...permissions]) => permissions.length === 0).map(([path]) => path)

/** The screen that the router finds behind an address. */
function screenAt(address: string): ScreenInfo {
  const info = screenOf(router.getMatchedRoutes(address)[2]?.fullPath ?? '')
  if (!info) throw new Error(`There is no screen at ${address}`)
  return info
}

/** Somebody with these rights and no others; `view_role`: a superadmin who views as a role with them. */
function person(
  permissions: readonly string[],
  superadmin = false,
  view_role: number | null = null,
): SessionState {
  const sub = { id: 1, firstname: 'A', lastname: 'B', administrator: false, superadmin }
  const claims: SessionClaims = { sub, jti: 'j', iat: 0, exp: 1, permissions: [...permissions], view_role }
  return { ...noSession, claims }
}

/** The specification's own; the product has some more. */
test('R022–R134 there are 113 addresses, and every one has its route', () => {
  const all = [...addresses.map(([path]) => path), ...systemAddresses, ...confirmations, ...sharedAddresses]
  expect(new Set([...all, '/login']).size).toBe(113)
  for (const path of all) expect(screenAt(path)).toMatchObject({ title: expect.any(String) })
  expect(Object.keys(routes).length).toBeGreaterThanOrEqual(113)
})

test('R008 R022–R134 a superadmin may open every address', () => {
  for (const path of [...addresses.map(([first]) => first), ...systemAddresses])
    expect([path, mayOpen(screenAt(path), person([], true))]).toEqual([path, true])
})

test.each(needing)(
  'R030–R134 R145 %s needs %s and the rest of its rights, all of them',
  (path, ...needed) => {
    const info = screenAt(path)
    expect(info.permissions).toEqual(needed)
    expect(mayOpen(info, person(needed))).toBe(true)
    for (const missing of needed) {
      const rest = needed.filter(one => one !== missing)
      for (const session of [person(rest), person(rest, true, 3)]) {
        expect(mayOpen(info, session)).toBe(false)
        expect(missingRights(info, session)).toEqual([missing])
      }
    }
  },
)

test.each(open)('R030–R134 R145 %s needs no right', path => {
  expect(mayOpen(screenAt(path), person([]))).toBe(true)
})

test('R008 R098–R126 the system area is closed to everybody else, whatever their rights, and to a superadmin who views as a role', () => {
  for (const path of systemAddresses) {
    expect([path, mayOpen(screenAt(path), person(permissions))]).toEqual([path, false])
    expect([path, mayOpen(screenAt(path), person(permissions, true, 3))]).toEqual([path, false])
  }
})

test('R145 R146 the navigation offers nothing that does not open, to nobody', () => {
  const entries = navigation.flatMap(area => area.entries.map(({ to }) => ({ to, info: screenAt(to) })))
  const offered = (session: SessionState) => entries.filter(({ info }) => isOffered(info, session))
  const everybodyElse = [
    person([]),
    person(permissions),
    ...permissions.map(lost => person(permissions.filter(one => one !== lost))),
  ]
  for (const session of everybodyElse) {
    expect(offered(session).filter(({ info }) => !mayOpen(info, session))).toEqual([])
    expect(offered(session).filter(({ to }) => to.startsWith('/system/'))).toEqual([])
  }
  expect(offered(person([], true))).toEqual(entries.filter(({ info }) => info.isBuilt))
})

test('the screens of the daily work are built', () => {
  const daily = [
    '/campaigns/archive',
    '/campaigns/edit/new',
    '/campaigns/reports',
    '/settings/datasources',
    '/settings/domains',
    '/subscribers/archive',
    '/subscribers/segments',
    '/subscribers/segments/edit/2',
    '/subscribers/dataupload',
    '/subscribers/dataupload/edit/new',
    '/subscribers/testsubscribers',
    '/subscribers/blacklistsglobal',
    '/templates/archive',
    '/templates/edit/1',
    '/templates/placeholders',
  ]
  expect(daily.filter(path => !screenAt(path).isBuilt)).toEqual([])
})

test('no other route needs a right', () => {
  const found = Object.keys(routes).filter(path => (screenOf(path)?.permissions ?? []).length > 0)
  expect(found).toHaveLength(26)
})

test('R098–R126 the system area is for superadmins, all of it and nothing else', () => {
  const paths = Object.keys(routes)
  const guarded = paths.filter(path => screenOf(path)?.superadmin === true)
  expect(guarded.toSorted()).toEqual(paths.filter(path => path.startsWith('/system/')).toSorted())
  expect(guarded.length).toBeGreaterThanOrEqual(29)
})

test('the longest address wins: adding is no record', () => {
  const matched = (path: string) => router.getMatchedRoutes(path)[2]?.fullPath
  expect(matched('/campaigns/reports/compare/3')).toBe('/campaigns/reports/compare/$id')
  expect(matched('/campaigns/reports/3')).toBe('/campaigns/reports/$id')
  expect(matched('/nope')).toBeUndefined()
})

test.each([
  ['/campaigns/edit/5', '/campaigns/archive'],
  ['/campaigns/test/5', '/campaigns/archive'],
  ['/settings/domains/edit/3', '/settings/domains'],
  ['/external-esps/senders/ses/edit/9', '/external-esps/senders/ses'],
  ['/nowhere/edit/9', '/dashboard'],
  ['/campaigns/edit/new', '/campaigns/edit/new'],
  ['/campaigns/start/5', '/campaigns/start/5'],
])('R016 a restart on %s leads to %s', (path, expected) => {
  expect(restartPath(path, candidate => router.getMatchedRoutes(candidate)[2] !== undefined)).toBe(expected)
})
