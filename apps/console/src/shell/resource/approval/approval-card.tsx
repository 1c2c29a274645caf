import type { Approval } from '@emma/contract/approval.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { StatusBadge, type Tone } from '@emma/ui/layout/status-badge.tsx'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../i18n/error-text.ts'
import { usePermission } from '../../session/use-session.ts'
import { storeAnswer } from '../query-client.ts'
import { ApprovalForm, type Decision } from './approval-form.tsx'
import classes from './approval-card.module.css'

/** Calls about the approval of a campaign, or of a recurring campaign. */
export interface ApprovalCalls {
  queryKey: readonly unknown[]
  read(signal: AbortSignal): Promise<Approval>
  request(note: string | null): Promise<Approval>
  /** `hash`: of what the user has seen. */
  approve(hash: string, note: string | null): Promise<Approval>
  revoke(note: string | null): Promise<Approval>
}

interface ApprovalCardProps {
  calls: ApprovalCalls
  /** Whether the user may ask for an approval. */
  mayAsk: boolean
  /** Called when the approval was changed, here or by another user. */
  onChanged?: () => void
}

const tones: Record<Approval['state'], Tone> = {
  none: 'neutral',
  requested: 'info',
  approved: 'positive',
  outdated: 'caution',
}

/** Approval by a second person: its state, who decided and when, what was changed since. Nothing if none is needed. */
export function ApprovalCard({ calls, mayAsk, onChanged }: ApprovalCardProps): ReactNode {
  const { t } = useTranslation()
  const mayDecide = usePermission({ all: ['EmmaCampaign:patch'] })
  const { data, error, isPending, refetch } = useQuery({
    queryKey: calls.queryKey,
    queryFn: ({ signal }) => calls.read(signal),
    // Templates, segments and placeholders are changed on other screens.
    staleTime: 0,
  })
  const decision = useMutation({
    mutationFn: ({ action, note, hash }: { action: Decision; note: string | null; hash: string }) =>
      action === 'approve' ? calls.approve(hash, note) : calls[action](note),
    onSuccess: after => storeAnswer(calls.queryKey, after),
    onError: failure => {
      showError(failure)
      // Somebody else may have decided or changed it.
      void refetch()
    },
  })
  useChange(data && `${data.state} ${data.hash}`, onChanged)
  if (data && !data.required) return null
  return (
    <Card
      title={t('approval.title')}
      actions={
        data && <StatusBadge tone={tones[data.state]}>{t(`approval.states.${data.state}`)}</StatusBadge>
      }
    >
      {isPending && <BlockSkeleton height={80} />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && (
        <div className={classes.state}>
          <div role="status" className={classes.state}>
            <Outdated approval={data} />
            <Signature action="requested" signature={data.request} />
            <Signature action="approved" signature={data.approved} />
            <Approvers approval={data} />
          </div>
          <ApprovalForm
            // Empties the note after each decision.
            key={`${data.state} ${data.hash}`}
            decisions={decisionsOf(data, { mayAsk, mayDecide })}
            isDeciding={decision.isPending}
            onDecide={(action, note) => decision.mutate({ action, note, hash: data.hash })}
          />
        </div>
      )}
    </Card>
  )
}

/** Calls the listener when a value that was known changes. */
function useChange(value: string | undefined, listener: (() => void) | undefined): void {
  const last = useRef(value)
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => {
    if (last.current !== undefined && last.current !== value) latest.current?.()
    last.current = value
  }, [value])
}

/** What the user may do, the main action first. */
function decisionsOf(
  { state, may_approve }: Approval,
  { mayAsk, mayDecide }: { mayAsk: boolean; mayDecide: boolean },
): Decision[] {
  const isNew = state === 'none' || state === 'outdated'
  return [
    ...(state === 'requested' && mayDecide && may_approve ? (['approve'] as const) : []),
    ...(isNew && mayAsk ? (['request'] as const) : []),
    ...(state !== 'none' && mayDecide ? (['revoke'] as const) : []),
  ]
}

function Outdated({ approval: { state, changed, approved } }: { approval: Approval }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  if (state !== 'outdated') return null
  const parts = format.list(changed.map(part => t(`approval.parts.${part}`)))
  return <p>{t(approved ? 'approval.changed' : 'approval.changed_request', { parts })}</p>
}

interface SignatureProps {
  action: 'requested' | 'approved'
  signature: Approval['request']
}

function Signature({ action, signature }: SignatureProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  if (!signature) return null
  return (
    <div>
      <p>{t(`approval.${action}`, { name: signature.by.name, date: format.dateTime(signature.at) })}</p>
      {signature.note && <p className={classes.note}>{signature.note}</p>}
    </div>
  )
}

function Approvers({ approval: { state, approvers } }: { approval: Approval }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  if (state === 'approved') return null
  if (approvers.length === 0) return <p>{t('approval.nobody')}</p>
  const names = format.list(
    approvers.map(({ name }) => name),
    'or',
  )
  return <p className={classes.dimmed}>{t('approval.approvers', { names })}</p>
}
