import type { Widget } from '@emma/contract/resources/dashboard.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { append, compact, move, resize } from './arrange.ts'

const widget = (id: string, x: number, y: number, w: number, h: number): Widget => ({
  id,
  type: 'note',
  x,
  y,
  w,
  h,
})
const places = (widgets: Widget[]) =>
  Object.fromEntries(widgets.map(({ id, x, y, w, h }) => [id, [x, y, w, h]]))

const grid = [widget('a', 0, 0, 6, 2), widget('b', 6, 0, 6, 2), widget('c', 0, 2, 12, 3)]

test('R231 arrow keys move a widget: it swaps places with its neighbor', () => {
  expect(places(move(grid, 'c', 'up'))).toEqual({ a: [0, 3, 6, 2], b: [6, 3, 6, 2], c: [0, 0, 12, 3] })
  expect(places(move(grid, 'a', 'down'))).toEqual({ a: [0, 5, 6, 2], b: [6, 0, 6, 2], c: [0, 2, 12, 3] })
  expect(places(move(grid, 'a', 'right'))).toMatchObject({ a: [1, 0, 6, 2], b: [6, 2, 6, 2] })
  for (const direction of ['up', 'left'] as const) expect(move(grid, 'a', direction)).toEqual(grid)
  expect(move(grid, 'c', 'down')).toEqual(grid)
})

test('R231 a widget has a minimum size and stays inside the grid', () => {
  expect(places(resize(grid, 'a', { w: 1 }))).toMatchObject({
    a: [0, 0, 7, 2],
    b: [6, 2, 6, 2],
    c: [0, 4, 12, 3],
  })
  expect(places(resize(grid, 'b', { w: 4 }))).toMatchObject({ b: [2, 0, 10, 2] })
  expect(places(resize(grid, 'a', { w: -9, h: -9 }))).toMatchObject({ a: [0, 0, 2, 2] })
})

test('R231 a new widget is added below the others', () => {
  expect(places(append(grid, { id: 'd', type: 'note', w: 4, h: 2 }))).toMatchObject({ d: [0, 5, 4, 2] })
})

describe('R231 after any sequence of changes', () => {
  const step = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    direction: fc.constantFrom('left', 'right', 'up', 'down'),
    w: fc.integer({ min: -3, max: 3 }),
    h: fc.integer({ min: -3, max: 3 }),
  })

  test('no two widgets overlap, none leaves the grid, none is lost', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), steps => {
        let widgets = append(append(grid, { id: 'd', type: 'note', w: 4, h: 2 }), {
          id: 'e',
          type: 'note',
          w: 8,
          h: 3,
        })
        for (const { id, direction, w, h } of steps)
          widgets = resize(move(widgets, id, direction), id, { w, h })
        expect(widgets.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e'])
        expect(widgets.filter(one => one.x < 0 || one.x + one.w > 12)).toEqual([])
        const overlaps = widgets.flatMap(one => widgets.filter(other => other !== one && overlap(one, other)))
        expect(overlaps).toEqual([])
        expect(compact(widgets)).toHaveLength(widgets.length)
      }),
    )
  })
})

function overlap(a: Widget, b: Widget): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
}
