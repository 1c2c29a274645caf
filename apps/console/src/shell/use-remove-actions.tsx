import type { RecordOf } from '@emma/client/emma-client.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import type { BulkAction, RowAction } from '@emma/ui/list/list-parts.ts'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { keyOf, removeRecord } from './record-calls.ts'
import { useRights } from './use-rights.ts'

/**
 * "Delete" for the rows of a list, one or many, both after a question. Nothing for people without the right.
 *
 * @param nameOf what a row is called in the question
 */
export function useRemoveActions<R extends Resource>(
  resource: R,
  nameOf: (row: RecordOf<R>) => string,
): { forRow: (row: RecordOf<R>) => RowAction[]; forMany: BulkAction<RecordOf<R>>[] } {
  const { t } = useTranslation()
  const { mayDelete } = useRights(resource)
  if (!mayDelete) return { forRow: () => [], forMany: [] }
  const action = { id: 'delete', label: t('action.delete'), icon: <IconTrash size={16} />, danger: true }
  const question = { text: t('action.delete_text'), confirmLabel: t('action.delete'), danger: true }
  const remove = (row: RecordOf<R>) => removeRecord(resource, keyOf(resource, row))
  return {
    forRow: row => [
      {
        ...action,
        confirm: { ...question, title: t('action.delete_title', { name: nameOf(row) }) },
        run: () => remove(row),
        done: { message: t('action.deleted', { name: nameOf(row) }) },
      },
    ],
    forMany: [
      {
        ...action,
        confirm: rows => ({ ...question, title: t('action.delete_many', { count: rows.length }) }),
        run: remove,
      },
    ],
  }
}
