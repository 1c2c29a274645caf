import type { ReactNode } from 'react'
import { useFormat, useTranslate } from '../i18n.tsx'
import { ChartDownload } from './chart-download.tsx'
import classes from './charts.module.css'

export interface HeatMapProps {
  /** Description of the chart for screen readers. */
  label: string
  rows: readonly string[]
  columns: readonly string[]
  /** One array of values per row; null for missing values. */
  values: readonly (readonly (number | null)[])[]
  showValue?: (value: number) => string
  onSelect?: (row: number, column: number) => void
}

/** Heat map as an accessible table with tinted cells. */
export function HeatMap({ label, rows, columns, values, showValue, onSelect }: HeatMapProps): ReactNode {
  const t = useTranslate()
  const format = useFormat()
  const show = showValue ?? format.number
  const highest = Math.max(0, ...values.flat().map(value => value ?? 0))
  if (highest === 0) return <div className={classes.empty}>{t('chart.no_data')}</div>
  return (
    <figure className={classes.figure} aria-label={label}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls needs the keyboard */}
      <div className={classes.scroll} role="region" aria-label={label} tabIndex={0}>
        <table
          className={classes.heat}
          aria-label={label}
          // Keeps cells large enough for touch.
          style={{ minWidth: 96 + columns.length * 28 }}
        >
          <thead>
            <tr>
              <td />
              {columns.map(column => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, rowIndex) => (
              <tr key={row}>
                <th scope="row">{row}</th>
                {columns.map((column, columnIndex) => (
                  <HeatCell
                    key={column}
                    name={`${row}, ${column}`}
                    value={values[rowIndex]?.[columnIndex] ?? null}
                    highest={highest}
                    show={show}
                    onClick={onSelect && (() => onSelect(rowIndex, columnIndex))}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={classes.tools}>
        <span className={classes.scale}>
          {show(0)} <span className={classes.ramp} aria-hidden /> {show(highest)}
        </span>
        <ChartDownload
          label={label}
          figures={[['', ...columns], ...rows.map((row, index) => [row, ...(values[index] ?? [])])]}
        />
      </div>
    </figure>
  )
}

function HeatCell(props: {
  name: string
  value: number | null
  highest: number
  show: (value: number) => string
  onClick: (() => void) | undefined
}): ReactNode {
  const { name, value, highest, show, onClick } = props
  const text = value === null ? '–' : show(value)
  const share = Math.round(((value ?? 0) / highest) * 100)
  const tint = { background: `color-mix(in srgb, var(--emma-accent) ${share}%, var(--emma-ground-sunken))` }
  return (
    <td title={`${name}: ${text}`} style={tint}>
      {onClick ? (
        <button type="button" aria-label={`${name}: ${text}`} onClick={onClick} />
      ) : (
        <span className={classes.hidden}>{text}</span>
      )}
    </td>
  )
}
