import { readFileSync } from 'node:fs'
import { compareRates } from '@emma/contract/statistics/compare-rates.ts'
import { z } from 'zod'

/**
 * Compares rates as campaigns do: `npm run bench:statistics -- FILE` reads a JSON array of `{a: {n, x}, b: {n, x}, level}`
 * (x of n, a the baseline). The last line is a JSON array of the comparisons in the same order, null where undefined.
 */
const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Usage: npm run bench:statistics -- FILE')
  process.exit(2)
}
const counted = z
  .object({ n: z.int().min(0), x: z.int().min(0) })
  .refine(({ n, x }) => x <= n, 'x may be at most n')
const cases = z
  .array(z.object({ a: counted, b: counted, level: z.number().gt(0).lt(1).default(0.95) }))
  .parse(JSON.parse(readFileSync(file, 'utf8')))
console.log(JSON.stringify(cases.map(({ a, b, level }) => compareRates(a, b, level))))
