/** A named series with one value per point of the axis; null for missing values. */
export interface ChartSeries {
  name: string
  values: readonly (number | null)[]
  /** CSS color or variable; the next one of the palette by default. */
  color?: string
}

/** The palette in order, as CSS variables. */
export const chartColors = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(number => `var(--emma-chart-${number})`)

export function colorOf(series: { color?: string | undefined }, index: number): string {
  return series.color ?? chartColors[index % chartColors.length] ?? 'var(--emma-accent)'
}

/** True if any value is neither null nor 0. */
export function hasData(series: readonly ChartSeries[]): boolean {
  return series.some(({ values }) => values.some(value => value !== null && value !== 0))
}
