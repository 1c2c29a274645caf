/** Share of a standard normal distribution below `z`. Absolute error below 1e-12. */
export function normalCdf(z: number): number {
  const upper = upperTail(Math.abs(z))
  return z > 0 ? 1 - upper : upper
}

/** Share above `z` ≥ 0; small values keep their precision. */
export function upperTail(z: number): number {
  return z < SERIES_BELOW ? 0.5 - density(z) * risingSeries(z) : density(z) / continuedFraction(z)
}

/** The value that the share `p` of a standard normal distribution lies below, by bisection. */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) return p === 0 ? -Infinity : p === 1 ? Infinity : Number.NaN
  let [low, high] = [-40, 40]
  for (let step = 0; step < 100; step += 1) {
    const middle = (low + high) / 2
    if (normalCdf(middle) < p) low = middle
    else high = middle
  }
  return (low + high) / 2
}

const SERIES_BELOW = 3

function density(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
}

/** Abramowitz and Stegun 26.2.11: z + z³/3 + z⁵/15 + … */
function risingSeries(z: number): number {
  let [term, sum] = [z, z]
  for (let odd = 3; term > sum * 1e-17; odd += 2) {
    term *= (z * z) / odd
    sum += term
  }
  return sum
}

/** Abramowitz and Stegun 26.2.14: z + 1/(z + 2/(z + 3/(z + …))), from the inside. */
function continuedFraction(z: number): number {
  let value = z
  for (let depth = 200; depth > 0; depth -= 1) value = z + depth / value
  return value
}
