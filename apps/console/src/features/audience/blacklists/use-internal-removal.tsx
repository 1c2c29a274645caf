import { restoreInternalRemoval } from '@emma/contract/actions/internal-blacklist.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import type { BulkAction, RowAction } from '@emma/ui/list/list-parts.ts'
import { IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from '../../../shell/resource/query-client.ts'
import { api } from '../../../shell/session/api.ts'

interface InternalRow {
  value: string
}

/** Removes one or many rows of the internal list or its exceptions, with an undo. */
export function useInternalRemoval<Row extends InternalRow>(
  queryKey: readonly string[],
  remove: (row: Row) => Promise<{ removal_id: number | null }>,
): { forRow: (row: Row) => RowAction[]; forMany: BulkAction<Row>[] } {
  const { t } = useTranslation()
  const removals = useRef(new Map<Row, number>())
  const reload = () => queryClient.invalidateQueries({ queryKey })
  const action = {
    id: 'remove',
    label: t('audience.blacklist.remove'),
    icon: <IconTrash size={16} />,
    danger: true,
  }
  const run = async (row: Row) => {
    const { removal_id } = await remove(row)
    if (removal_id !== null) removals.current.set(row, removal_id)
    await reload()
  }
  const undo = async (row: Row) => {
    const removalId = removals.current.get(row)
    if (removalId === undefined) return
    await api.call(restoreInternalRemoval, { body: { removal_id: removalId } })
    removals.current.delete(row)
    await reload()
  }
  return {
    forRow: row => [
      {
        ...action,
        run: () => run(row),
        done: {
          message: t('audience.blacklist.removed', { name: row.value }),
          undo: async () => {
            await undo(row)
            notify.success(t('action.restored', { name: row.value }))
          },
        },
      },
    ],
    forMany: [{ ...action, run, undo }],
  }
}
