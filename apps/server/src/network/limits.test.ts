import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as limits from './limits.ts'

test('docs/limits.md lists exactly the existing limits', () => {
  const page = readFileSync(new URL('../../../../docs/limits.md', import.meta.url), 'utf8')
  const shown = page.split('\n').filter(line => /^\| `[A-Z_]+_LIMITS\./.test(line))
  const cells = shown.map(row =>
    row
      .split('|')
      .slice(1, 3)
      .map(cell => cell.trim())
      .join(' '),
  )
  const rows = rowsOf(limits).map(([name, value]) => `\`${name}\` ${value}`)
  expect(cells.toSorted()).toEqual(rows.toSorted())
})

/** Every limit by its full name. */
function rowsOf(group: object, prefix = ''): [name: string, value: string][] {
  return Object.entries(group).flatMap(([key, value]): [string, string][] => {
    const name = `${prefix}${key}`
    return typeof value === 'object' && value !== null
      ? rowsOf(value, `${name}.`)
      : [[name, inUnits(key, Number(value))]]
  })
}

function inUnits(name: string, value: number): string {
  if (name.endsWith('Ms')) return `${value / 1000} s`
  if (!name.endsWith('Bytes')) return String(value)
  if (value % 1_048_576 === 0) return `${value / 1_048_576} MB`
  return value % 1024 === 0 ? `${value / 1024} KB` : `${value} bytes`
}
