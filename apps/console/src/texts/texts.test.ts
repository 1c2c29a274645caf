import { expect, test } from 'vitest'
import { router } from '../router.ts'
import type { ScreenInfo } from '../shell/layout/screen.tsx'
import { texts as enFirst } from './first.en.ts'
import { merged, type Texts } from './merged.ts'

/** Keys of all texts, joined by dots. */
function keysOf(texts: Texts, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : keysOf(value, `${prefix}${key}.`),
  )
}

test('every screen has a name, and every name a screen', () => {
  const routes: Record<string, { options: { staticData?: { screen?: ScreenInfo } } }> = router.routesByPath
  const titles = new Set(
    Object.values(routes).flatMap(route => route.options.staticData?.screen?.title ?? []),
  )
  expect([...titles].toSorted()).toEqual(
    keysOf(enFirst)
      .filter(key => key.startsWith('screens.'))
      .toSorted(),
  )
})

test('two files cannot claim the same key', () => {
  expect(() => merged({ shell: { shell: 'a' }, './x/en.ts': { shell: 'b' } })).toThrow(
    '"shell" are there twice',
  )
  expect(() => merged({ './x/en.ts': undefined })).toThrow('./x/en.ts')
})
