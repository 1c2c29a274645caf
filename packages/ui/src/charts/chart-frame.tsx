import { Button } from '@mantine/core'
import { IconChartLine, IconTable } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslate } from '../i18n.tsx'
import { ChartDownload } from './chart-download.tsx'
import classes from './charts.module.css'

export interface ChartTable {
  head: readonly string[]
  rows: readonly (readonly ReactNode[])[]
}

export interface ChartFrameProps {
  /** Description of the chart for screen readers. */
  label: string
  height: number
  /** Whether the content may exceed the height, e.g. by a legend below on narrow screens. */
  mayGrow?: boolean
  isEmpty: boolean
  /** Header and rows for the CSV export. */
  figures: readonly (readonly (string | number | null)[])[]
  table: ChartTable
  children: ReactNode
}

/** Switches between a chart and a table of the same figures. */
export function ChartFrame(props: ChartFrameProps): ReactNode {
  const { label, height, mayGrow, isEmpty, figures, table, children } = props
  const t = useTranslate()
  const [isTable, setTable] = useState(false)
  const drawing = useRef<HTMLDivElement>(null)
  if (isEmpty) {
    return (
      <div className={classes.empty} style={{ height }}>
        {t('chart.no_data')}
      </div>
    )
  }
  return (
    <figure className={classes.figure} aria-label={label}>
      {isTable ? (
        <FigureTable label={label} height={height} table={table} />
      ) : (
        <div ref={drawing} role="img" aria-label={label} style={mayGrow ? { minHeight: height } : { height }}>
          {children}
        </div>
      )}
      <div className={classes.tools}>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={
            isTable ? <IconChartLine size={14} aria-hidden /> : <IconTable size={14} aria-hidden />
          }
          onClick={() => setTable(!isTable)}
        >
          {t(isTable ? 'chart.show_chart' : 'chart.show_table')}
        </Button>
        <ChartDownload
          label={label}
          figures={figures}
          {...(isTable ? {} : { drawing: () => drawing.current?.querySelector('svg') ?? null })}
        />
      </div>
    </figure>
  )
}

function FigureTable(props: { label: string; height: number; table: ChartTable }): ReactNode {
  const { label, height, table } = props
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard
    <div
      className={classes.scroll}
      style={{ maxHeight: height }}
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      <table className={classes.table}>
        <thead>
          <tr>
            {table.head.map(name => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) =>
                column === 0 ? (
                  <th key={column} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={column}>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
