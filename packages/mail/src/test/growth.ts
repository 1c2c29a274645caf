/**
 * Measures how the time of a task grows with its input: about 1 for linear time, 16 for quadratic. Ratio of the
 * fastest of several runs at distant sizes, so that load does not change the result.
 */
export function growthOf(task: (size: number) => void, size = 8_000): number {
  let least = Number.POSITIVE_INFINITY
  // Other processes may distort one ratio, but not all.
  for (let attempt = 0; attempt < 5 && least >= MAX_GROWTH; attempt++)
    least = Math.min(least, ratioOf(task, size))
  return least
}

function ratioOf(task: (size: number) => void, size: number): number {
  const large = fastest(() => task(size * FACTOR))
  // Too short to measure; quadratic time would not be.
  if (large < NOISE_MS) return 1
  const small = fastest(() => task(size))
  return large / Math.max(small, NOISE_MS / FACTOR) / FACTOR
}

const FACTOR = 16
const NOISE_MS = 16

/** Linear tasks stay below, quadratic ones reach 16. */
export const MAX_GROWTH = 8

function fastest(run: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 4; attempt++) {
    const started = threadTime()
    run()
    best = Math.min(best, threadTime() - started)
    if (best < NOISE_MS / FACTOR) break
  }
  return best
}

/** CPU time of this thread in ms: what other processes do does not count. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
