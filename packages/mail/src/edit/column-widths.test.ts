import { expect, test } from 'vitest'
import { evenWidths, readColumnWidths, resizeColumn, scaledWidths, setColumnWidths } from './column-widths.ts'
import { parseTemplate } from './parse-template.ts'
import { applyPatch } from './patch.ts'
import { seededRandom } from '../test/random-edit.ts'

/** In hundredths, which floating point adds exactly. */
function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + Math.round(width * 100), 0)
}

test('column widths: 2 to 6 equal columns add up to 100 %', () => {
  expect(evenWidths(2)).toEqual([50, 50])
  expect(evenWidths(3)).toEqual([33.34, 33.33, 33.33])
  expect(evenWidths(6)).toEqual([16.67, 16.67, 16.67, 16.67, 16.66, 16.66])
  for (const count of [1, 7]) expect(() => evenWidths(count)).toThrow('2 to 6 columns')
})

test('column widths: any proportions and sizes add up to 100 %, none below 5 %', () => {
  const random = seededRandom(1)
  for (let round = 0; round < 2_000; round++) {
    const count = 2 + random(5)
    let widths = scaledWidths(Array.from({ length: count }, () => 0.001 + random(1_000) ** 2))
    expect(sum(widths)).toBe(10_000)
    widths = resizeColumn(widths, random(count), random(12_000) / 100 - 10)
    expect(sum(widths)).toBe(10_000)
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(5)
  }
})

test('column widths: a line between two columns moves only both', () => {
  expect(resizeColumn([25, 25, 50], 0, 30)).toEqual([30, 20, 50])
  expect(resizeColumn([25, 25, 50], 1, 99)).toEqual([25, 70, 5])
  expect(resizeColumn([25, 25, 50], 2, 30)).toEqual([25, 25, 50])
})

test('column widths: read from a section and written to it', () => {
  const source = '<mj-section><mj-column width="200px"/><mj-column  width="400px">x</mj-column></mj-section>'
  const tree = parseTemplate(source)
  if (tree.type === 'code') throw new Error(tree.reason.message)
  const columns = tree.nodes.flatMap(node =>
    node.type === 'element' && node.name === 'mj-column' ? node : [],
  )
  expect(readColumnWidths(tree, columns)).toEqual([33.34, 66.66])
  expect(applyPatch(source, setColumnWidths(tree, columns, [40, 60]))).toBe(
    '<mj-section><mj-column width="40%"/><mj-column  width="60%">x</mj-column></mj-section>',
  )
})
