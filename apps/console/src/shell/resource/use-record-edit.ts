import type { RecordOf } from '@emma/client/emma-client.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { useTranslation } from 'react-i18next'
import { keyOf, reloadRecord, removeRecord, restoreRecord } from './record-calls.ts'
import { useRights } from '../session/use-rights.ts'

interface RecordEdit<R extends Resource> {
  /** Null for a new record. */
  record: RecordOf<R> | null
  id: number | null
  /** Name of the record in messages and confirmations. */
  nameOf: (record: RecordOf<R>) => string
  /** Navigates to the list, after a new record was saved or one was deleted. */
  toList: () => void
}

/**
 * The common parts of a record's page: `options` for `useRecordForm` (id, loading, saving), and `removal` for
 * `RecordForm`, undefined without the permission to delete.
 */
export function useRecordEdit<R extends Resource>(
  resource: R,
  { record, id, nameOf, toList }: RecordEdit<R>,
) {
  const { t } = useTranslation()
  const { mayDelete } = useRights(resource)
  return {
    options: {
      resource,
      recordKey: id,
      record,
      ...(id === null ? {} : { reload: () => reloadRecord(resource, id) }),
      onSaved(saved: RecordOf<R>): void {
        notify.success(t('action.saved', { name: nameOf(saved) }))
        if (id === null) toList()
      },
    },
    removal:
      record && mayDelete
        ? {
            name: nameOf(record),
            run: () => removeRecord(resource, keyOf(resource, record)),
            ...(resource.deletedForEver
              ? {}
              : { restore: () => restoreRecord(resource, keyOf(resource, record)) }),
            onRemoved: toList,
          }
        : undefined,
  }
}
