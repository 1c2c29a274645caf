import { type ReactNode, useCallback } from 'react'
import { useFormat, useTranslate } from '../i18n.tsx'
import { tooltip } from './axis-option.ts'
import { ChartFrame } from './chart-frame.tsx'
import { colorOf } from './chart-series.ts'
import classes from './charts.module.css'
import { LazyEChart } from './lazy-echart.tsx'

export interface DonutPart {
  name: string
  value: number
  color?: string
}

export interface DonutChartProps {
  label: string
  parts: readonly DonutPart[]
  height?: number
  onSelect?: (index: number) => void
}

/** Parts of a total. Names and shares are listed beside the chart, so that it does not depend on color. */
export function DonutChart({ label, parts, height = 180, onSelect }: DonutChartProps): ReactNode {
  const t = useTranslate()
  const format = useFormat()
  const total = parts.reduce((sum, part) => sum + part.value, 0)
  const share = (part: DonutPart) => format.percent(total > 0 ? part.value / total : null)
  const content = JSON.stringify(parts)
  const makeOption = useCallback(
    (color: (css: string) => string) => ({
      tooltip: { ...tooltip(color, format.number), trigger: 'item' },
      series: [
        {
          type: 'pie',
          radius: ['62%', '96%'],
          label: { show: false },
          itemStyle: { borderColor: color('var(--emma-ground)'), borderWidth: 2 },
          data: parts.map((part, index) => ({
            name: part.name,
            value: part.value,
            itemStyle: { color: color(colorOf(part, index)) },
          })),
        },
      ],
    }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `content` stands for parts
    [content, format],
  )
  return (
    <ChartFrame
      label={label}
      height={height}
      mayGrow
      isEmpty={total === 0}
      figures={[[t('chart.name'), t('chart.value')], ...parts.map(part => [part.name, part.value])]}
      table={{
        head: [t('chart.name'), t('chart.value'), t('chart.share')],
        rows: parts.map(part => [part.name, format.number(part.value), share(part)]),
      }}
    >
      <div className={classes.donut}>
        <div className={classes.ring} style={{ height }}>
          <LazyEChart makeOption={makeOption} onSelect={onSelect && (index => onSelect(index))} />
        </div>
        <ul className={classes.legend}>
          {parts.map((part, index) => (
            <li key={part.name}>
              <span className={classes.swatch} style={{ background: colorOf(part, index) }} />
              {part.name}
              <span className={classes.share}>{share(part)}</span>
            </li>
          ))}
        </ul>
      </div>
    </ChartFrame>
  )
}
