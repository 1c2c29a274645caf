/**
 * How the time of a task grows with the size of its input: about 1 for a linear task, 16 for one by the square. A ratio
 * of the fastest of several runs over sizes far apart, so that it says the same on a busy machine.
 */
export function growthOf(task: (size: number) => void, size = 8_000): number {
  let least = Number.POSITIVE_INFINITY
  // What other programs take of the processor makes one ratio too large, but not each.
  for (let attempt = 0; attempt < 5 && least >= MAX_GROWTH; attempt++)
    least = Math.min(least, ratioOf(task, size))
  return least
}

function ratioOf(task: (size: number) => void, size: number): number {
  const large = fastest(() => task(size * FACTOR))
  // Too short to be measured; by the square it could not be.
  if (large < NOISE_MS) return 1
  const small = fastest(() => task(size))
  return large / Math.max(small, NOISE_MS / FACTOR) / FACTOR
}

const FACTOR = 16
const NOISE_MS = 16

/** A linear task stays below, one by the square reaches 16. */
export const MAX_GROWTH = 8

function fastest(run: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 4; attempt++) {
    const started = performance.now()
    run()
    best = Math.min(best, performance.now() - started)
    if (best < NOISE_MS / FACTOR) break
  }
  return best
}
