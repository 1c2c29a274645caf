import { queryKeys } from '@emma/client/query-keys.ts'
import { type Confirmation, legalDocuments } from '@emma/contract/actions/legal-documents.ts'
import type { LegalKind } from '@emma/contract/legal-document.ts'
import { TextSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { DetailsDrawer } from '@emma/ui/layout/details-drawer.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { Button, Code, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { DocumentText } from './document-text.tsx'
import { PdfButton } from './pdf-button.tsx'

interface ConfirmedVersionsProps {
  kind: LegalKind
  confirmations: readonly Confirmation[]
}

/** The versions that the client has confirmed, each with its text and PDF. */
export function ConfirmedVersions({ kind, confirmations }: ConfirmedVersionsProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const [opened, setOpened] = useState<Confirmation | null>(null)
  const label = t('billing.current.confirmed_versions')
  return (
    <Card title={label} isFlush>
      <SmallTable
        label={label}
        rows={confirmations}
        rowKey={row => row.id}
        minWidth={560}
        columns={[
          { id: 'version', header: t('billing.document.fields.version'), cell: row => row.version },
          { id: 'name', header: t('billing.confirm.name'), cell: row => row.name },
          { id: 'role', header: t('billing.confirm.role'), cell: row => row.role },
          { id: 'at', header: t('billing.confirm.at'), cell: row => format.dateTime(row.confirmed_at) },
          {
            id: 'text',
            header: t('billing.current.text'),
            cell: row => (
              <Button
                variant="subtle"
                size="compact-sm"
                aria-label={t('billing.current.read_version', { version: row.version })}
                onClick={() => setOpened(row)}
              >
                {t('billing.current.read')}
              </Button>
            ),
          },
        ]}
      />
      <DetailsDrawer
        title={opened && t('billing.current.version', { version: opened.version })}
        isOpen={opened !== null}
        onClose={() => setOpened(null)}
        size="xl"
      >
        {opened && <Version kind={kind} confirmation={opened} />}
      </DetailsDrawer>
    </Card>
  )
}

function Version({ kind, confirmation }: { kind: LegalKind; confirmation: Confirmation }): ReactNode {
  const { t } = useTranslation()
  const { resource } = legalDocuments[kind]
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.record(resource, confirmation.doc_id),
    queryFn: ({ signal }) => api.find(resource, confirmation.doc_id, {}, { signal }),
  })
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <TextSkeleton />
  return (
    <Stack gap="md" align="flex-start">
      <PdfButton kind={kind} document={data} />
      <DocumentText document={data} />
      <div>
        {t('billing.current.checksum')}{' '}
        <Code style={{ overflowWrap: 'anywhere' }}>{confirmation.sha256}</Code>
      </div>
    </Stack>
  )
}
