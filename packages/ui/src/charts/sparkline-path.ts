/** Room for the line's width at the top and the bottom. */
const margin = 1.5

/** The line through the values, lowest at the bottom, as an SVG path. Equal values lie in the middle. */
export function sparklinePath(values: readonly number[], width: number, height: number): string {
  const lowest = Math.min(...values)
  const range = Math.max(...values) - lowest
  const step = width / Math.max(1, values.length - 1)
  const inner = height - 2 * margin
  const points = values.map((value, index) => {
    const level = range === 0 ? 0.5 : (value - lowest) / range
    return `${round(index * step)},${round(margin + (1 - level) * inner)}`
  })
  return `M${points.join(' L')}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
