import type { SessionClaims } from '@emma/contract/session.ts'
import { expect, test } from 'vitest'
import { isOffered, mayOpen } from './may-open.ts'
import { noSession, type SessionState } from './session-store.ts'
import { holds } from './use-session.ts'

function person(permissions: string[], superadmin = false, view_role: number | null = null): SessionState {
  const claims: SessionClaims = {
    sub: { id: 1, firstname: 'A', lastname: 'B', administrator: false, superadmin },
    jti: 'j',
    iat: 0,
    exp: 1,
    permissions,
    view_role,
  }
  return { ...noSession, claims }
}

const start = { title: 'x', isBuilt: true, permissions: ['EmmaCampaign:get', 'EmmaDomain:get'] } as const

test('R145 R146 a screen requires all of its permissions', () => {
  expect(mayOpen(start, person(['EmmaCampaign:get']))).toBe(false)
  expect(mayOpen(start, person(['EmmaDomain:get', 'EmmaCampaign:get']))).toBe(true)
})

test('R145 R146 a demand of `any` is met by one permission', () => {
  expect(holds(person(['EmmaDomain:get']), { any: start.permissions })).toBe(true)
  expect(holds(person([]), { any: start.permissions })).toBe(false)
})

test('R145 R146 a superadmin holds all permissions, and only the role’s while viewing as one', () => {
  expect(mayOpen(start, person([], true))).toBe(true)
  expect(mayOpen(start, person([], true, 3))).toBe(false)
})

test('R145 R146 the system area requires an effective superadmin', () => {
  const system = { title: 'x', isBuilt: true, superadmin: true }
  expect(mayOpen(system, person([], true))).toBe(true)
  expect(mayOpen(system, person([], true, 3))).toBe(false)
  expect(mayOpen(system, person([]))).toBe(false)
})

test('R145 R146 menus omit screens that the user could open but not read', () => {
  const archive = { title: 'x', isBuilt: true, entity: 'EmmaMember' } as const
  expect(mayOpen(archive, person([]))).toBe(true)
  expect(isOffered(archive, person([]))).toBe(false)
  expect(isOffered(archive, person(['EmmaMember:get']))).toBe(true)
})

test('R145 R146 without a session no permission is held', () => {
  expect(holds(noSession, { all: ['EmmaCampaign:get'] })).toBe(false)
})

test('menus and palette do not offer an unbuilt screen, but its address still opens', () => {
  const planned = { ...start, isBuilt: false }
  const session = person(['EmmaCampaign:get', 'EmmaDomain:get'])
  expect(isOffered(start, session)).toBe(true)
  expect(isOffered(planned, session)).toBe(false)
  expect(mayOpen(planned, session)).toBe(true)
})
