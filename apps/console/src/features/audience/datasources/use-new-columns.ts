import { ApiError } from '@emma/client/api-error.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import type { Mapping } from '@emma/ui/upload/match-columns.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'
import { type FileColumn, type NewColumn, newColumnTarget, suggestColumn } from '../uploads/file-columns.ts'
import { columnFaults } from './schema-faults.ts'
import type { Upload } from '../uploads/upload-calls.ts'

export interface NewColumns {
  /** The new column for a file's column: as edited, else as suggested by its header and cells. */
  of: (name: string) => NewColumn
  change: (name: string, column: NewColumn) => void
  /** Validation errors by the name of the file's column. */
  faults: ReadonlyMap<string, string>
}

/** State of the new columns in a mapping. `error`: the server's error of the last start. */
export function useNewColumns(
  upload: Upload,
  columns: readonly FileColumn[],
  shown: Mapping,
  schema: readonly MemberColumn[],
  error: unknown,
): NewColumns {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState(() => keptColumns(upload, columns))
  const of = (name: string) => {
    const index = columns.findIndex(column => column.name === name)
    return chosen[name] ?? suggestColumn(name, upload.formats[index])
  }
  const asked = columns.filter(({ name }) => shown[name] === newColumnTarget)
  const local = columnFaults([...schema, ...asked.map(({ name }) => of(name))], t)
  const told = asked.flatMap(({ name }, at) => {
    const fault =
      local.get(schema.length + at) ??
      serverFault(
        error,
        columns.findIndex(one => one.name === name),
      )
    return fault === undefined ? [] : [[name, fault] as const]
  })
  return {
    of,
    change: (name, column) => setChosen({ ...chosen, [name]: column }),
    faults: new Map(told),
  }
}

function serverFault(error: unknown, place: number): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const fault = error.fields.find(({ field }) => field.startsWith(`mapping.${place}.`))
  return fault && textOfFault(fault)
}

function keptColumns(upload: Upload, columns: readonly FileColumn[]): Record<string, NewColumn> {
  return Object.fromEntries(
    upload.mapping.flatMap(({ index, column, new_column }) => {
      const name = columns[index]?.name
      return name === undefined || !new_column ? [] : [[name, { column_name: column ?? '', ...new_column }]]
    }),
  )
}
