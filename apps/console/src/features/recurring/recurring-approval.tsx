import { queryKeys } from '@emma/client/query-keys.ts'
import {
  approveRecurring,
  readRecurringApproval,
  requestRecurringApproval,
  revokeRecurringApproval,
} from '@emma/contract/actions/approval.ts'
import { recurring } from '@emma/contract/resources/recurring.ts'
import { type ReactNode, useMemo } from 'react'
import { ApprovalCard, type ApprovalCalls } from '../../shell/resource/approval/approval-card.tsx'
import { api } from '../../shell/session/api.ts'
import { useRights } from '../../shell/session/use-rights.ts'

interface RecurringApprovalProps {
  record: { client_id: number; recurring_id: number; revision: number }
}

/** Approval of a recurring campaign by a second person: its runs are sent as it was approved. */
export function RecurringApproval({ record }: RecurringApprovalProps): ReactNode {
  const { mayChange } = useRights(recurring)
  const { client_id, recurring_id, revision } = record
  const calls = useMemo(() => callsOf(client_id, recurring_id, revision), [client_id, recurring_id, revision])
  return <ApprovalCard calls={calls} mayAsk={mayChange} />
}

function callsOf(client_id: number, recurring_id: number, revision: number): ApprovalCalls {
  const params = { client_id, recurring_id }
  return {
    queryKey: queryKeys.action(readRecurringApproval, { ...params, revision }),
    read: signal => api.call(readRecurringApproval, { params, ignoreCache: true, signal }),
    request: note => api.call(requestRecurringApproval, { params, body: { note } }),
    approve: (hash, note) => api.call(approveRecurring, { params, body: { hash, note } }),
    revoke: note => api.call(revokeRecurringApproval, { params, body: { note } }),
  }
}
