import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** Packages that a file imports, itself and by the files that it imports. */
function packagesOf(path: string, seen: Set<string>): string[] {
  if (seen.has(path)) return []
  seen.add(path)
  const source = readFileSync(path, 'utf8')
  return [...source.matchAll(/^(?:import|export) (?!type )[^;]*? from '([^']+)'/gms)].flatMap(
    ([, name = '']) => (name.startsWith('.') ? packagesOf(join(dirname(path), name), seen) : name),
  )
}

test('the edits run in browsers: they import no module of Node and no compiler', () => {
  const files = globSync(`${folder}*.ts`).filter(
    path => !/\.test\.ts$|(?:compile|preview)-canvas\.ts$/.test(path),
  )
  const seen = new Set<string>()
  const packages = new Set(files.flatMap(path => packagesOf(path, seen)))
  expect([...packages].toSorted()).toEqual(['htmlparser2', 'liquidjs', 'parse5'])
})
