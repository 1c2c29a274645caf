import { useComputedColorScheme } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { BarChart, LineChart, PieChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { type EChartsCoreOption, type EChartsType, init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import classes from './charts.module.css'

use([BarChart, LineChart, PieChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer])

export interface EChartProps {
  /** Creates the option. `color` resolves CSS variables, which canvas and SVG attributes do not support. */
  makeOption: (color: (css: string) => string) => EChartsCoreOption
  onSelect?: ((index: number, series: string) => void) | undefined
}

/** ECharts with only the modules in use; follows container size, color scheme and reduced motion. */
export function EChart({ makeOption, onSelect }: EChartProps): ReactNode {
  const host = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(null)
  const scheme = useComputedColorScheme()
  const isStill = useReducedMotion()
  const select = useEffectEvent((index: number, series: string) => onSelect?.(index, series))

  useEffect(() => {
    const element = host.current
    if (!element) return undefined
    const made = init(element)
    chart.current = made
    made.on('click', event => select(event.dataIndex, event.seriesName ?? event.name))
    const observer = new ResizeObserver(() => made.resize())
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.dispose()
      chart.current = null
    }
  }, [])

  useEffect(() => {
    const element = host.current
    if (!element) return
    const option = makeOption(color => resolveColor(color, element))
    chart.current?.setOption({ animation: !isStill, animationDuration: 300, ...option }, { notMerge: true })
  }, [makeOption, scheme, isStill])

  return <div ref={host} className={classes.canvas} />
}

function resolveColor(color: string, element: Element): string {
  const variable = /^var\((--[\w-]+)\)$/.exec(color)?.[1]
  return variable ? getComputedStyle(element).getPropertyValue(variable).trim() : color
}
