import type { EChartsCoreOption } from 'echarts/core'
import type { Format } from '../format.ts'
import { type ChartSeries, colorOf } from './chart-series.ts'

type Color = (css: string) => string

export interface AxisChart {
  categories: readonly string[]
  series: readonly ChartSeries[]
  look: 'line' | 'area' | 'bar'
  isStacked: boolean
  isHorizontal: boolean
  format: Format
  /** Formats a value in the tooltip. */
  show: (value: number) => string
}

/** ECharts option of a chart with two axes: light grid lines, no frame, one tooltip for all series. */
export function axisOption(chart: AxisChart, color: Color): EChartsCoreOption {
  const lines = Math.ceil(chart.series.length / 2)
  if (lines < 2) return baseOption(chart, color)
  return {
    ...baseOption(chart, color),
    media: [
      { query: { maxWidth: narrowest }, option: { grid: { top: legendHeight(lines) } } },
      { option: { grid: { top: legendHeight(1) } } },
    ],
  }
}

/** Maximum width in px at which a legend of more than two series takes several lines. */
const narrowest = 480

function legendHeight(lines: number): number {
  return 10 + 24 * lines
}

function baseOption(chart: AxisChart, color: Color): EChartsCoreOption {
  const { categories, series, isHorizontal, format } = chart
  // A line needs two points: a single one is drawn as a dot in the middle.
  const isSinglePoint = categories.length === 1
  const categoryAxis = {
    type: 'category',
    data: categories,
    boundaryGap: chart.look === 'bar' || isSinglePoint,
    axisLine: { lineStyle: { color: color('var(--emma-line-strong)') } },
    axisTick: { show: false },
    axisLabel: {
      color: color('var(--mantine-color-dimmed)'),
      hideOverlap: true,
      fontSize: 12,
      alignMinLabel: isHorizontal ? null : 'left',
      alignMaxLabel: isHorizontal ? null : 'right',
    },
  }
  const valueAxis = {
    type: 'value',
    minInterval: 1,
    splitNumber: 4,
    splitLine: { lineStyle: { color: color('var(--emma-line)') } },
    axisLabel: {
      color: color('var(--mantine-color-dimmed)'),
      fontSize: 12,
      formatter: (value: number) => format.compact(value),
    },
  }
  return {
    textStyle: { fontFamily: color('var(--mantine-font-family)') },
    grid: {
      left: 4,
      right: 12,
      top: series.length > 1 ? legendHeight(1) : 12,
      bottom: 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    xAxis: isHorizontal ? valueAxis : categoryAxis,
    yAxis: isHorizontal ? { ...categoryAxis, inverse: true } : valueAxis,
    ...(series.length > 1 ? { legend: legend(color) } : {}),
    tooltip: tooltip(color, chart.show),
    series: series.map((one, index) => ({
      name: one.name,
      data: one.values,
      color: color(colorOf(one, index)),
      ...(chart.isStacked ? { stack: 'all' } : {}),
      ...seriesLook(chart.look, isSinglePoint),
    })),
  }
}

function seriesLook(look: AxisChart['look'], showSymbol: boolean): Record<string, unknown> {
  if (look === 'bar') return { type: 'bar', barMaxWidth: 28, itemStyle: { borderRadius: 3 } }
  return {
    type: 'line',
    smooth: 0.15,
    symbol: 'circle',
    symbolSize: 6,
    showSymbol,
    lineStyle: { width: 2 },
    ...(look === 'area' ? { areaStyle: { opacity: 0.12 } } : {}),
    emphasis: { focus: 'none' },
  }
}

function legend(color: Color): Record<string, unknown> {
  return {
    top: 0,
    left: 0,
    icon: 'roundRect',
    itemWidth: 10,
    itemHeight: 10,
    itemGap: 16,
    textStyle: { color: color('var(--mantine-color-text)'), fontSize: 12 },
  }
}

export function tooltip(color: Color, show: (value: number) => string): Record<string, unknown> {
  return {
    trigger: 'axis',
    confine: true,
    backgroundColor: color('var(--emma-ground-raised)'),
    borderColor: color('var(--emma-line-strong)'),
    textStyle: { color: color('var(--mantine-color-text)'), fontSize: 12 },
    axisPointer: { lineStyle: { color: color('var(--emma-line-strong)') } },
    valueFormatter: (value: unknown) => (typeof value === 'number' ? show(value) : '–'),
  }
}
