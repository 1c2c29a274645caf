import { type ReactNode, useCallback } from 'react'
import { useFormat, useTranslate } from '../i18n.tsx'
import { axisOption } from './axis-option.ts'
import { ChartFrame } from './chart-frame.tsx'
import { type ChartSeries, hasData } from './chart-series.ts'
import { LazyEChart } from './lazy-echart.tsx'

interface CommonProps {
  /** Description of the chart for screen readers. */
  label: string
  series: readonly ChartSeries[]
  height?: number
  /** Formats a value; as a number by default. Pass a stable function. */
  showValue?: (value: number) => string
  isStacked?: boolean
  /** Called on a click on a point with its index on the axis and the series' name. */
  onSelect?: (index: number, series: string) => void
}

export interface TimeChartProps extends CommonProps {
  /** ISO 8601, one per value. */
  times: readonly string[]
  /** Precision of the displayed times. */
  precision?: 'day' | 'minute'
  look?: 'line' | 'area' | 'bar'
}

/** Line, area or bar chart of values over time. */
export function TimeChart({ times, precision = 'day', look = 'area', ...props }: TimeChartProps): ReactNode {
  const t = useTranslate()
  const format = useFormat()
  const isOneDay = times.length > 1 && format.date(times[0]) === format.date(times.at(-1))
  // Shortly after sending there are several points within a minute.
  const isWithinMinutes = new Set(times.map(format.time)).size < times.length
  const categories = times.map(time => {
    if (precision === 'day') return format.day(time)
    if (!isOneDay) return format.dayTime(time)
    return isWithinMinutes ? format.exactTime(time) : format.time(time)
  })
  return <AxisChart {...props} categories={categories} exact={times} look={look} axisName={t('chart.time')} />
}

export interface BarChartProps extends CommonProps {
  categories: readonly string[]
  /** Horizontal bars, for long category names. */
  isHorizontal?: boolean
}

/** Bar chart of values by category. */
export function BarChart(props: BarChartProps): ReactNode {
  const t = useTranslate()
  return <AxisChart {...props} look="bar" axisName={t('chart.name')} />
}

interface AxisChartProps extends CommonProps {
  categories: readonly string[]
  look: 'line' | 'area' | 'bar'
  axisName: string
  isHorizontal?: boolean
  /** The categories in the CSV export: full dates. */
  exact?: readonly string[]
}

function AxisChart(props: AxisChartProps): ReactNode {
  const { label, categories, series, look, axisName, height = 260, onSelect } = props
  const { isStacked = false, isHorizontal = false, showValue } = props
  const format = useFormat()
  const show = showValue ?? format.number
  // Compared as JSON: each response creates new arrays, and equal ones should not redraw the chart.
  const content = JSON.stringify([categories, series])
  const makeOption = useCallback(
    (color: (css: string) => string) =>
      axisOption({ categories, series, look, isStacked, isHorizontal, format, show }, color),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `content` stands for categories and series
    [content, look, isStacked, isHorizontal, format, show],
  )
  return (
    <ChartFrame
      label={label}
      height={height}
      isEmpty={!hasData(series)}
      figures={[
        [axisName, ...series.map(one => one.name)],
        ...(props.exact ?? categories).map((name, index) => [
          name,
          ...series.map(one => one.values[index] ?? null),
        ]),
      ]}
      table={{
        head: [axisName, ...series.map(one => one.name)],
        rows: categories.map((name, index) => [
          name,
          ...series.map(one => {
            const value = one.values[index]
            return typeof value === 'number' ? show(value) : '–'
          }),
        ]),
      }}
    >
      <LazyEChart makeOption={makeOption} onSelect={onSelect} />
    </ChartFrame>
  )
}
