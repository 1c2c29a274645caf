import { expect, test } from 'vitest'
import { router } from './router.ts'
import { restartPath } from './shell/session/restart-path.ts'
import type { ScreenInfo } from './shell/layout/screen-info.ts'

const routes: Record<string, { options: { staticData?: { screen?: ScreenInfo } } }> = router.routesByPath
const screenOf = (path: string) => routes[path]?.options.staticData?.screen

/** The specification's own are walked one by one in e2e/shell-routes.test.ts; the product has some more. */
test('R022–R134 every address has its route', () => {
  expect(Object.keys(routes).length).toBeGreaterThanOrEqual(113)
})

test.each([
  ['/campaigns/archive', ['EmmaCampaign:get']],
  ['/campaigns/calendar', ['EmmaCampaign:get']],
  ['/campaigns/categories', ['EmmaCategoryValue:get']],
  ['/campaigns/categories/edit/$id', ['EmmaCategoryValue:get']],
  ['/campaigns/edit/$id', ['EmmaCampaign:get', 'EmmaDomain:get', 'EmmaMailclass:get', 'EmmaList:get']],
  ['/campaigns/monitoring/$id', ['EmmaCampaign:get', 'IPCI:get']],
  ['/campaigns/reports', ['EmmaReport:get']],
  ['/campaigns/reportgroups', ['EmmaReport:get', 'ReportingGroup:get']],
  ['/campaigns/reports/subreports/$id', ['EmmaList:get', 'EmmaReport:get', 'EmmaSubreportCampaign:get']],
  ['/campaigns/start/$id', ['EmmaCampaign:patch']],
  [
    '/campaigns/test/$id',
    ['EmmaCampaign:get', 'EmmaTestCampaign:get', 'EmmaTestAddress:get', 'TestGroup:get'],
  ],
  ['/billing/sendvolume', ['SendVolume:get']],
  ['/dashboard', ['Dashboard:get']],
  ['/help', ['Help:get']],
  ['/help/$id', ['Help:get']],
  ['/users', ['User:get']],
  ['/external-esps/replacers/$esp', ['EmmaEspReplacer:get']],
  ['/external-esps/replacers/$esp/edit/$id', ['EmmaEspReplacer:get']],
  ['/external-esps/senders/$esp', ['EmmaEspSendfromid:get']],
  ['/external-esps/senders/$esp/edit/$id', ['EmmaEspSendfromid:get']],
  ['/external-esps/settings/$esp', ['EmmaEspLogin:get', 'EmmaEspSendfromid:get']],
  ['/external-esps/settings/$esp/edit/$id', ['EmmaEspLogin:get', 'EmmaEspSendfromid:get']],
  ['/settings/domain-setup/add', ['DomainSetupStatus:post']],
  ['/templates/catalog', ['BeePluginCatalog:get']],
  ['/transactionals/archive', ['EmmaTransactional:get']],
  ['/transactionals/edit/$id', ['EmmaTransactional:get']],
])('R030–R134 R145 %s needs %j', (path, permissions) => {
  expect(screenOf(path)?.permissions).toEqual(permissions)
})

test('no other route needs a right', () => {
  const needing = Object.keys(routes).filter(path => (screenOf(path)?.permissions ?? []).length > 0)
  expect(needing).toHaveLength(26)
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
