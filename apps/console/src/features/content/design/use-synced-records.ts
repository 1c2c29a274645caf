import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { placeholder } from '@emma/contract/resources/placeholder.ts'
import type { TemplateFormat } from '@emma/mail/edit/template-tree.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../shell/session/api.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import type { SyncedBlock } from './synced-blocks.ts'

export type SyncedRecord = RecordOf<typeof placeholder>

/** The client's saved blocks of the formats: placeholders that hold sections of MJML, or HTML. Empty without permission. */
export function useSyncedRecords(...formats: readonly TemplateFormat[]): SyncedRecord[] {
  const enabled = usePermission({ all: ['EmmaPlaceholder:get'] })
  const { data } = useQuery({
    queryKey: [...queryKeys.lists(placeholder), 'synced', ...formats],
    queryFn: ({ signal }) => api.listAll(placeholder, { filters: { type: [...formats] } }, { signal }),
    enabled,
  })
  return data ?? none
}

const none: SyncedRecord[] = []

export function blockOf({ module_id: id, name, token, body }: SyncedRecord): SyncedBlock {
  return { id, name, token, source: Object.values(body).find(text => text !== '') ?? '' }
}
