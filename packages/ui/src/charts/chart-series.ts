/** A named row of values, one per point of the axis; null where there is none. */
export interface ChartSeries {
  name: string
  values: readonly (number | null)[]
  /** A CSS colour or variable; the palette's next when left out. */
  color?: string
}

/** The palette's colours in order, as CSS variables. */
export const chartColors = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(number => `var(--emma-chart-${number})`)

export function colorOf(series: { color?: string | undefined }, index: number): string {
  return series.color ?? chartColors[index % chartColors.length] ?? 'var(--emma-accent)'
}

/** Is there anything to draw? */
export function hasData(series: readonly ChartSeries[]): boolean {
  return series.some(({ values }) => values.some(value => value !== null && value !== 0))
}
