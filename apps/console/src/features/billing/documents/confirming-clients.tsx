import { queryKeys } from '@emma/client/query-keys.ts'
import { legalDocuments } from '@emma/contract/actions/legal-documents.ts'
import type { LegalKind } from '@emma/contract/legal-document.ts'
import { TextSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { Button } from '@mantine/core'
import { IconSignature } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'

/** Rows that are shown, and added by "Show more". */
const STEP = 50
const MOST = 1000

/** The clients that have confirmed a version, with their number. */
export function ConfirmingClients({ kind, id }: { kind: LegalKind; id: number }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const [limit, setLimit] = useState(STEP)
  const { confirmations } = legalDocuments[kind]
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.action(confirmations, { id, limit }),
    queryFn: ({ signal }) =>
      api.call(confirmations, { params: { id }, query: { limit }, signal, ignoreCache: true }),
    placeholderData: keepPreviousData,
  })
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <TextSkeleton />
  const { total } = data.pagination
  if (total === 0)
    return (
      <EmptyState
        icon={<IconSignature size={22} stroke={1.5} aria-hidden />}
        title={t('billing.document.unconfirmed_title')}
        text={t('billing.document.unconfirmed_text')}
      />
    )
  return (
    <Card title={t('billing.document.confirmed_by', { count: total })} isFlush>
      <SmallTable
        label={t('billing.document.tabs.clients')}
        rows={data.data}
        rowKey={row => `${row.client_id} ${row.id}`}
        columns={[
          { id: 'client', header: t('billing.document.client'), cell: row => row.client_name },
          { id: 'name', header: t('billing.confirm.name'), cell: row => row.name },
          { id: 'role', header: t('billing.confirm.role'), cell: row => row.role },
          { id: 'at', header: t('billing.confirm.at'), cell: row => format.dateTime(row.confirmed_at) },
        ]}
      />
      {data.data.length < total && limit < MOST && (
        <Button variant="subtle" onClick={() => setLimit(limit + STEP)}>
          {t('billing.document.more')}
        </Button>
      )}
    </Card>
  )
}
