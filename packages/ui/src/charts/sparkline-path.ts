/** Margin in px at top and bottom for the line's width. */
const margin = 1.5

/**
 * SVG path of a line through the values, the lowest at the bottom. Equal values, or a single one, are a horizontal line
 * in the middle.
 */
export function sparklinePath(values: readonly number[], width: number, height: number): string {
  const lowest = Math.min(...values)
  const range = Math.max(...values) - lowest
  const step = width / Math.max(1, values.length - 1)
  const inner = height - 2 * margin
  const points = values.map((value, index) => {
    const level = range === 0 ? 0.5 : (value - lowest) / range
    return `${round(index * step)},${round(margin + (1 - level) * inner)}`
  })
  return points.length === 1 ? `M${points[0]} H${width}` : `M${points.join(' L')}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
