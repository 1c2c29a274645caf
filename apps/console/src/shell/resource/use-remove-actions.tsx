import type { RecordOf } from '@emma/client/emma-client.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import type { BulkAction, RowAction } from '@emma/ui/list/list-parts.ts'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { keyOf, removeRecord, restoreRecord } from './record-calls.ts'
import { useRights } from '../session/use-rights.ts'

/**
 * "Delete" for one or many rows, with a confirmation, and an undo if rows can be restored. No actions without the
 * permission. A text `delete_text` of the resource says what a deletion for ever removes.
 *
 * @param nameOf name of a row in the confirmation
 * @param isRestorable whether a row can be restored
 */
export function useRemoveActions<R extends Resource>(
  resource: R,
  nameOf: (row: RecordOf<R>) => string,
  isRestorable: (row: RecordOf<R>) => boolean = () => true,
): { forRow: (row: RecordOf<R>) => RowAction[]; forMany: BulkAction<RecordOf<R>>[] } {
  const { t } = useTranslation()
  const { mayDelete } = useRights(resource)
  if (!mayDelete) return { forRow: () => [], forMany: [] }
  const action = { id: 'delete', label: t('action.delete'), icon: <IconTrash size={16} />, danger: true }
  const canReturn = (row: RecordOf<R>) => !resource.deletedForEver && isRestorable(row)
  const question = (rows: readonly RecordOf<R>[]) => ({
    text: rows.every(canReturn)
      ? t('action.delete_undo')
      : t([`${resource.area}.${resource.name}.delete_text`, 'action.delete_text']),
    confirmLabel: t('action.delete'),
    danger: true,
  })
  const remove = (row: RecordOf<R>) => removeRecord(resource, keyOf(resource, row))
  const restore = (row: RecordOf<R>) => restoreRecord(resource, keyOf(resource, row))
  return {
    forRow: row => [
      {
        ...action,
        confirm: { ...question([row]), title: t('action.delete_title', { name: nameOf(row) }) },
        run: () => remove(row),
        done: {
          message: t('action.deleted', { name: nameOf(row) }),
          ...(canReturn(row)
            ? {
                undo: async () => {
                  await restore(row)
                  notify.success(t('action.restored', { name: nameOf(row) }))
                },
              }
            : {}),
        },
      },
    ],
    forMany: [
      {
        ...action,
        confirm: rows => ({ ...question(rows), title: t('action.delete_many', { count: rows.length }) }),
        run: remove,
        ...(resource.deletedForEver ? {} : { undo: restore, isUndoable: canReturn }),
      },
    ],
  }
}
