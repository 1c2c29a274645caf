import { normalQuantile, upperTail } from './normal.ts'

/** `x` of `n` people did something. */
export interface Counted {
  n: number
  x: number
}

export interface Interval {
  low: number
  high: number
}

/** Rates of two groups, a being the baseline. Null where a group is empty, or nothing varies. */
export interface RateComparison {
  rate_a: number | null
  rate_b: number | null
  /** b − a. */
  difference: number | null
  /** Limits of the difference: Newcombe 1998, method 10 (hybrid score without continuity correction). */
  low: number | null
  high: number | null
  /** Two-sided p of the pooled z test. Null if nobody or everybody did it. */
  p: number | null
  /** Probability that the rate of b is higher, with uniform priors. */
  chance_b_better: number | null
}

/** Compares two independent rates. @param level confidence level, for example 0.95 */
export function compareRates(a: Counted, b: Counted, level: number): RateComparison {
  const [rateA, rateB] = [rateOf(a), rateOf(b)]
  if (rateA === null || rateB === null)
    return {
      rate_a: rateA,
      rate_b: rateB,
      difference: null,
      low: null,
      high: null,
      p: null,
      chance_b_better: null,
    }
  const difference = rateB - rateA
  const [ofA, ofB] = [scoreInterval(a, level), scoreInterval(b, level)]
  return {
    rate_a: rateA,
    rate_b: rateB,
    difference,
    low: difference - Math.hypot(rateB - ofB.low, ofA.high - rateA),
    high: difference + Math.hypot(ofB.high - rateB, rateA - ofA.low),
    p: pooledP(a, b),
    chance_b_better: chanceHigher(b, a),
  }
}

/** Wilson's score interval of a rate. An empty group has the interval from 0 to 1. */
export function scoreInterval({ n, x }: Counted, level: number): Interval {
  if (n === 0) return { low: 0, high: 1 }
  const z = normalQuantile((1 + level) / 2)
  const rate = x / n
  const half = z * Math.sqrt((rate * (1 - rate)) / n + (z * z) / (4 * n * n))
  const middle = rate + (z * z) / (2 * n)
  const scale = 1 + (z * z) / n
  // Exact at the ends, where rounding would leave a remainder.
  return { low: x === 0 ? 0 : (middle - half) / scale, high: x === n ? 1 : (middle + half) / scale }
}

function rateOf({ n, x }: Counted): number | null {
  return n === 0 ? null : x / n
}

function pooledP(a: Counted, b: Counted): number | null {
  const pooled = (a.x + b.x) / (a.n + b.n)
  const variance = pooled * (1 - pooled) * (1 / a.n + 1 / b.n)
  if (variance === 0) return null
  return 2 * upperTail(Math.abs(b.x / b.n - a.x / a.n) / Math.sqrt(variance))
}

/**
 * Probability that a rate drawn from Beta(1 + x, 1 + n − x) of `one` is higher than that of `other`: the closed sum of
 * Miller 2014, formula 6, in logarithms. Takes `one.x` steps.
 */
function chanceHigher(one: Counted, other: Counted): number {
  const [alpha, beta] = [other.x + 1, other.n - other.x + 1]
  const others = one.n - one.x + 1
  let term = logBeta(alpha, beta + others) - logBeta(alpha, beta)
  let sum = Math.exp(term)
  for (let step = 0; step < one.x; step += 1) {
    term += Math.log(((alpha + step) / (alpha + step + beta + others)) * ((others + step) / (1 + step)))
    sum += Math.exp(term)
  }
  return Math.min(1, sum)
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b)
}

/** Stirling's series from 15 on, reached by the recurrence; absolute error below 1e-13 of the value. */
function logGamma(value: number): number {
  let [x, product] = [value, 1]
  for (; x < 15; x += 1) product *= x
  const inverse = 1 / (x * x)
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / x
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series - Math.log(product)
}
