import { dateOrders, decimalSigns } from '@emma/contract/resources/dataupload.ts'
import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChosenFormat } from '../uploads/file-columns.ts'
import type { Upload } from '../uploads/upload-calls.ts'

interface ColumnFormatProps {
  /** Format detected in the column's cells. */
  format: Upload['formats'][number] | undefined
  /** Format selected by the user. */
  chosen: ChosenFormat | undefined
  dataType: string
  name: string
  onChange: (chosen: ChosenFormat) => void
}

/** Selects the date or number format of a file's column, if its cells are ambiguous. */
export function ColumnFormat({ format, chosen, dataType, name, onChange }: ColumnFormatProps): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`audience.dataupload.formats.${key}`)
  const isOpen = isUnclear(format, chosen, dataType)
  const choose = isOpen ? [{ value: '', label: text('choose'), disabled: true }] : []
  const shared = { mt: 4, size: 'xs', error: isOpen ? text('unclear') : undefined } as const
  if (isDate(dataType) && format?.date_order)
    return (
      <NativeSelect
        {...shared}
        aria-label={`${name}: ${text('date_order')}`}
        value={isOpen ? '' : (chosen?.date_order ?? format.date_order)}
        data={[...choose, ...dateOrders.map(value => ({ value, label: text(value) }))]}
        onChange={event => {
          const date_order = dateOrders.find(known => known === event.currentTarget.value)
          if (date_order) onChange({ date_order })
        }}
      />
    )
  if (isNumber(dataType) && format?.decimal_sign)
    return (
      <NativeSelect
        {...shared}
        aria-label={`${name}: ${text('decimal_sign')}`}
        value={isOpen ? '' : (chosen?.decimal_sign ?? format.decimal_sign)}
        data={[...choose, ...decimalSigns.map(value => ({ value, label: text(signNames[value]) }))]}
        onChange={event => {
          const decimal_sign = decimalSigns.find(known => known === event.currentTarget.value)
          if (decimal_sign) onChange({ decimal_sign })
        }}
      />
    )
  return null
}

/** True if the user must select the format before the import can start. */
export function isUnclear(
  format: Upload['formats'][number] | undefined,
  chosen: ChosenFormat | undefined,
  dataType: string,
): boolean {
  if (isDate(dataType)) return format?.date_order === 'unclear' && !chosen?.date_order
  return isNumber(dataType) && format?.decimal_sign === 'unclear' && !chosen?.decimal_sign
}

const signNames = { ',': 'comma', '.': 'point' } as const

function isDate(dataType: string): boolean {
  return dataType === 'date' || dataType === 'datetime'
}

function isNumber(dataType: string): boolean {
  return dataType === 'decimal' || dataType === 'int'
}
