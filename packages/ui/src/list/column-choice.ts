import { z } from 'zod'

/** The user's selection and order of columns. Columns in neither list were added later. */
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
 * Columns in the chosen order with their visibility. A column unknown to the choice (added by an update) keeps its
 * default position and visibility.
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

/** The order after a column moved up (-1) or down (+1) by one; the first column stays first. */
export function moveColumn(order: readonly string[], id: string, by: -1 | 1): string[] {
  const from = order.indexOf(id)
  const to = from + by
  if (from < 1 || to < 1 || to >= order.length) return [...order]
  const moved = order.filter(other => other !== id)
  moved.splice(to, 0, id)
  return moved
}
