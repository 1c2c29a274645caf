import type { RecordOf } from '@emma/client/emma-client.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { ActiveBadge } from './active-state.tsx'
import { choiceText } from './choice-text.ts'

type FieldOf<R extends Resource> = (keyof R['fields'] & string) | 'created_at' | 'updated_at'

/** A field name, or a partial column: missing parts are derived from the field of that name. */
export type ResourceColumn<R extends Resource> =
  | FieldOf<R>
  | (Partial<Column<RecordOf<R>>> & { id: FieldOf<R> })
  | (Partial<Column<RecordOf<R>>> & { id: string; cell: Column<RecordOf<R>>['cell'] })

/**
 * Columns of a resource's list. A field's header comes from the feature's texts; it is sortable if the contract says
 * so; numbers and choices are formatted; `active` is a badge, `created_at` and `updated_at` are times.
 *
 * @param texts text key prefix of the resource: `deliverability.mailclass`
 */
export function useResourceColumns<R extends Resource>(
  resource: R,
  columns: readonly ResourceColumn<R>[],
  texts: string,
): Column<RecordOf<R>>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const derived = (id: string, header?: string): Column<RecordOf<R>> => {
    const value = (row: RecordOf<R>): unknown => Reflect.get(row, id)
    const column = (parts: Partial<Column<RecordOf<R>>>): Column<RecordOf<R>> => ({
      id,
      header: header ?? t(id in commonHeaders ? `field.${id}` : `${texts}.fields.${id}`),
      cell: row => shown(value(row)),
      ...(isSortable(resource, id) ? { sort: id } : {}),
      ...parts,
    })
    const choice = (one: unknown) => (typeof one === 'string' ? t(choiceText(texts, id, one)) : null)
    const number = (one: unknown) => (typeof one === 'number' ? format.number(one) : null)
    const time = (row: RecordOf<R>) => format.dateTime(String(value(row)))
    if (id === 'active')
      return column({ width: 110, cell: row => <ActiveBadge isActive={value(row) === true} /> })
    if (id === 'updated_at') return column({ width: 170, wideOnly: true, cell: time })
    if (id === 'created_at') return column({ width: 170, cell: time })
    const type = typeOf(resource, id)
    if (type === 'enum') return column({ cell: row => choice(value(row)) })
    if (type === 'number') return column({ align: 'end', cell: row => number(value(row)) })
    return column({})
  }
  return columns.map(column =>
    typeof column === 'string' ? derived(column) : { ...derived(column.id, column.header), ...column },
  )
}

const commonHeaders = { active: true, created_at: true, updated_at: true }

function isSortable(resource: Resource, field: string): boolean {
  return field === 'created_at' || field === 'updated_at' || resource.sort.includes(field)
}

/** Type of a field, unwrapped from `.nullable()` and `.default()`. */
function typeOf(resource: Resource, field: string): string | undefined {
  let schema: unknown = resource.fields[field]
  while (schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) schema = schema.unwrap()
  return schema instanceof z.ZodType ? schema.def.type : undefined
}

function shown(value: unknown): ReactNode {
  return typeof value === 'string' || typeof value === 'number' ? value : null
}
