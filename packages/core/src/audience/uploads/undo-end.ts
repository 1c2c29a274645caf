import { dataupload, uploadModes, uploadState } from '@emma/contract/resources/dataupload.ts'
import { z } from 'zod'
import type { Fields } from '../../resource/operations.ts'
import { isWriting } from './import-target.ts'

/** Days after its end in which an import can be undone. */
export const UNDO_DAYS = 30

const undoable = z.object({
  status: z.literal(uploadState.finished),
  mode: z.enum(uploadModes).refine(isWriting),
  test: z.literal(false),
  first_member_id: z.coerce.number().int().positive(),
  finished_at: z.string(),
})

/** Until when the import of a row of data_upload can be undone; null where it cannot, or is already. */
export function undoEnd(row: Fields): string | null {
  const { success, data } = undoable.safeParse(row)
  const state = undoStateOf(row.undo)
  if (!success || (state !== null && state !== 'failed')) return null
  const end = new Date(Date.parse(data.finished_at) + UNDO_DAYS * 86_400_000)
  return end.getTime() > Date.now() ? end.toISOString() : null
}

export function undoStateOf(undo: unknown): string | null {
  return dataupload.fields.undo.parse(undo ?? null)?.state ?? null
}
