import { upperTail } from './normal.ts'

/** Below this p, the groups of a test are too unequal to be the result of chance. */
export const RATIO_ALARM = 0.001

/**
 * p of the chi-squared test that groups meant to be equally large are so; 1 for less than two groups, or none with
 * members. A low p is a sample ratio mismatch: something but chance decided who was counted.
 */
export function sampleRatioP(sizes: readonly number[]): number {
  const all = sizes.reduce((sum, size) => sum + size, 0)
  if (sizes.length < 2 || all === 0) return 1
  const expected = all / sizes.length
  const square = sizes.reduce((sum, size) => sum + (size - expected) ** 2 / expected, 0)
  return chiSquaredTail(square, sizes.length - 1)
}

/** Share of a chi-squared distribution above `x`: Abramowitz and Stegun 26.4.4 (odd degrees), 26.4.5 (even). */
export function chiSquaredTail(x: number, degrees: number): number {
  if (degrees % 2 === 0) {
    let [term, sum] = [1, 1]
    for (let step = 1; step < degrees / 2; step += 1) {
      term *= x / 2 / step
      sum += term
    }
    return Math.exp(-x / 2) * sum
  }
  const root = Math.sqrt(x)
  let [term, sum] = [root, 0]
  for (let step = 1; step <= (degrees - 1) / 2; step += 1) {
    sum += term
    term *= x / (2 * step + 1)
  }
  return 2 * (upperTail(root) + (Math.exp(-x / 2) / Math.sqrt(2 * Math.PI)) * sum)
}
