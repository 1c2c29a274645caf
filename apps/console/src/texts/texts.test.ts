import { expect, test } from 'vitest'
import { router } from '../router.ts'
import type { ScreenInfo } from '../shell/layout/screen-info.ts'
import { texts as initialTexts } from './initial.en.ts'
import { mergeTexts, type Texts } from './merge-texts.ts'

/** Keys of all texts, joined by dots. */
function keysOf(texts: Texts, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : keysOf(value, `${prefix}${key}.`),
  )
}

test('every screen has a title, and every title a screen', () => {
  const routes: Record<string, { options: { staticData?: { screen?: ScreenInfo } } }> = router.routesByPath
  const titles = new Set(
    Object.values(routes).flatMap(route => route.options.staticData?.screen?.title ?? []),
  )
  expect([...titles].toSorted()).toEqual(
    keysOf(initialTexts)
      .filter(key => key.startsWith('screens.'))
      .toSorted(),
  )
})

test('merging two files with the same key throws', () => {
  expect(() => mergeTexts({ shell: { shell: 'a' }, './x/en.json': { shell: 'b' } })).toThrow(
    '"shell" is there twice',
  )
  expect(() => mergeTexts({ './x/en.json': undefined })).toThrow('./x/en.json')
})
