import { z } from 'zod'

/** Which columns a person wants to see, in which order. Columns that are not named are new to the choice. */
export interface ColumnChoice {
  order: string[]
  hidden: string[]
}

export const columnChoice: z.ZodType<ColumnChoice> = z.object({
  order: z.array(z.string()).max(200),
  hidden: z.array(z.string()).max(200),
})

interface ChosenColumn {
  id: string
  hidden?: boolean
}

/**
 * Columns in the chosen order with their visibility. A column the choice does not know (added by an update)
 * stays where the screen put it, as visible as the screen wants it.
 */
export function applyColumnChoice<C extends ChosenColumn>(
  columns: readonly C[],
  choice: ColumnChoice | null,
): { column: C; isVisible: boolean }[] {
  if (!choice) return columns.map(column => ({ column, isVisible: column.hidden !== true }))
  const known = choice.order.flatMap(id => columns.find(column => column.id === id) ?? [])
  const ordered = [...known]
  columns.forEach((column, index) => {
    if (!choice.order.includes(column.id)) ordered.splice(Math.min(index, ordered.length), 0, column)
  })
  return ordered.map(column => ({
    column,
    isVisible: choice.order.includes(column.id) ? !choice.hidden.includes(column.id) : column.hidden !== true,
  }))
}

/** The choice after a column moved one place up (-1) or down (+1); the first column stays the first. */
export function moveColumn(order: readonly string[], id: string, by: -1 | 1): string[] {
  const from = order.indexOf(id)
  const to = from + by
  if (from < 1 || to < 1 || to >= order.length) return [...order]
  const moved = order.filter(other => other !== id)
  moved.splice(to, 0, id)
  return moved
}
