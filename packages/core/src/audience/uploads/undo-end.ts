import type { Row } from '@emma/contract/resource-schemas.ts'
import { dataupload, uploadState } from '@emma/contract/resources/dataupload.ts'
import { isWriting } from './import-target.ts'

/** Days after its end during which an import can be undone. */
export const UNDO_DAYS = 30

type Ended = Pick<Row<typeof dataupload>, 'status' | 'mode' | 'test' | 'finished_at' | 'undo'> & {
  first_member_id: number | null
}

/**
 * End of the period in which the import of a data_upload row can be undone; null when it cannot be or has been undone.
 */
export function undoEnd({ status, mode, test, finished_at, first_member_id, undo }: Ended): string | null {
  const isUndoable = status === uploadState.finished && isWriting(mode) && !test && (first_member_id ?? 0) > 0
  if (!isUndoable || finished_at === null || (undo && undo.state !== 'failed')) return null
  const end = new Date(Date.parse(finished_at) + UNDO_DAYS * 86_400_000)
  return end.getTime() > Date.now() ? end.toISOString() : null
}

export function undoStateOf(undo: unknown): string | null {
  return dataupload.fields.undo.parse(undo ?? null)?.state ?? null
}
