import type { Confirmation, PublishedDocument } from '@emma/contract/actions/legal-documents.ts'
import type { LegalKind } from '@emma/contract/legal-document.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconFileText } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../../shell/layout/page.tsx'
import { useScreenTitle } from '../../../shell/layout/use-screen-title.ts'
import { isOverdue, mayConfirm } from '../../../shell/session/due-documents.ts'
import { useSession } from '../../../shell/session/use-session.ts'
import { ConfirmForm } from './confirm-form.tsx'
import { ConfirmedVersions } from './confirmed-versions.tsx'
import { dayInstant } from './day-instant.ts'
import { DocumentText } from './document-text.tsx'
import { PdfButton } from './pdf-button.tsx'
import { useConfirmations, useCurrentDocument } from './use-current-document.ts'

/** The version in force with the client's confirmation, and the versions confirmed before (R043, R044). */
export default function CurrentDocument({ kind }: { kind: LegalKind }): ReactNode {
  const { t } = useTranslation()
  const title = useScreenTitle()
  const { data, error, refetch } = useCurrentDocument(kind)
  const confirmations = useConfirmations(kind)
  const confirmed = confirmations.data?.data ?? []
  return (
    <Page title={title} subtitle={t(`billing.${kind}.about`)}>
      {data === undefined && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <BlockSkeleton height={360} />}
      {data === null && (
        <EmptyState
          icon={<IconFileText size={22} stroke={1.5} aria-hidden />}
          title={t('billing.current.none_title')}
          text={t('billing.current.none_text')}
        />
      )}
      <Stack gap="lg">
        {data && (
          <Current
            kind={kind}
            document={data}
            confirmation={confirmed.find(one => one.doc_id === data.id)}
            onConfirmed={() => {
              notify.success(t('billing.confirm.done', { version: data.version }))
              void confirmations.refetch()
            }}
          />
        )}
        {confirmations.error && (
          <ErrorState error={confirmations.error} onRetry={() => void confirmations.refetch()} />
        )}
        {confirmed.length > 0 && <ConfirmedVersions kind={kind} confirmations={confirmed} />}
      </Stack>
    </Page>
  )
}

interface CurrentProps {
  kind: LegalKind
  document: PublishedDocument
  confirmation: Confirmation | undefined
  onConfirmed: () => void
}

function Current({ kind, document, confirmation, onConfirmed }: CurrentProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const session = useSession()
  const due = session.dueDocuments.find(each => each.kind === kind)
  return (
    <Card
      title={t('billing.confirm.version', {
        version: document.version,
        day: format.date(dayInstant(document.valid_from)),
      })}
      actions={<PdfButton kind={kind} document={document} />}
    >
      <Stack gap="lg">
        {confirmation && (
          <Alert color="green" icon={<IconCircleCheck size={18} />}>
            {t('billing.current.confirmed', {
              name: confirmation.name,
              role: confirmation.role,
              time: format.dateTime(confirmation.confirmed_at),
            })}
          </Alert>
        )}
        {!confirmation && due && (
          <Alert color="orange" icon={<IconAlertTriangle size={18} />}>
            {t(isOverdue(due) ? 'billing.current.overdue' : 'billing.current.due', {
              day: format.date(due.until),
            })}
          </Alert>
        )}
        <DocumentText document={document} />
        {!confirmation && due && mayConfirm(session, kind) && (
          <ConfirmForm key={document.id} kind={kind} document={document} onConfirmed={onConfirmed} />
        )}
        {!confirmation && due && !mayConfirm(session, kind) && (
          <Text c="dimmed">{t('billing.confirm.others_text')}</Text>
        )}
      </Stack>
    </Card>
  )
}
