import type { RecordOf } from '@emma/client/emma-client.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { useTranslation } from 'react-i18next'
import { keyOf, reloadRecord, removeRecord, restoreRecord } from './record-calls.ts'
import { useRights } from '../session/use-rights.ts'

interface RecordEdit<R extends Resource> {
  /** Null while it is new. */
  record: RecordOf<R> | null
  id: number | null
  /** What the record is called in messages and questions. */
  nameOf: (record: RecordOf<R>) => string
  /** Leads to the list: after a new record was saved, or one was removed. */
  toList: () => void
}

/**
 * What is the same on every record's page: `options` for `useRecordForm` (what is edited, how it is asked for again, what
 * follows a save), `removal` for `RecordForm`, undefined for people without the right.
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
