/**
 * Divides a rate evenly over flows. What a flow cannot use, as its own cap is lower, is divided over the others
 * (max-min fairness).
 * @returns the rate of each flow; their sum is the rate, or the sum of the caps if that is lower
 */
export function shareRate(rate: number, caps: readonly number[]): number[] {
  const rates = caps.map(() => 0)
  const order = caps.map((_, index) => index).toSorted((a, b) => (caps[a] ?? 0) - (caps[b] ?? 0))
  let left = rate
  for (const [place, index] of order.entries()) {
    const share = Math.min(caps[index] ?? 0, left / (order.length - place))
    rates[index] = share
    left = left === Number.POSITIVE_INFINITY ? left : Math.max(0, left - share)
  }
  return rates
}
