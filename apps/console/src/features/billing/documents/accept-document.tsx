import type { PublishedDocument } from '@emma/contract/actions/legal-documents.ts'
import type { LegalKind } from '@emma/contract/legal-document.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button, Group, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconLogout } from '@tabler/icons-react'
import { useNavigate, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../shell/i18n/error-text.ts'
import { LanguageMenu } from '../../../shell/i18n/language-menu.tsx'
import { brand } from '../../../shell/layout/brand.ts'
import { takeInitialPath } from '../../../shell/layout/initial-path.ts'
import { Logo } from '../../../shell/layout/logo.tsx'
import { logout } from '../../../shell/session/change-session.ts'
import { mayConfirm } from '../../../shell/session/due-documents.ts'
import { useSession } from '../../../shell/session/use-session.ts'
import classes from './accept-document.module.css'
import { ConfirmForm } from './confirm-form.tsx'
import { dayInstant } from './day-instant.ts'
import { DocumentText } from './document-text.tsx'
import { PdfButton } from './pdf-button.tsx'
import { useCurrentDocument } from './use-current-document.ts'

/** Asks an administrator to confirm a document (R022, R023); then comes the next one, or what was opened first. */
export default function AcceptDocument({ kind }: { kind: LegalKind }): ReactNode {
  const { t } = useTranslation()
  const { claims, client } = useSession()
  const navigate = useNavigate()
  // After a logout.
  if (claims === null || client === null) return null

  async function leave(): Promise<void> {
    await logout()
    await navigate({ to: '/login' })
  }

  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <Logo brand={brand} />
        <Group gap="xs" ml="auto">
          <LanguageMenu />
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconLogout size={16} stroke={1.6} />}
            onClick={() => void leave().catch(showError)}
          >
            {t('shell.logout')}
          </Button>
        </Group>
      </header>
      <main id="content" className={classes.main}>
        <Title order={1} size="h2">
          {t(`billing.${kind}.accept_title`)}
        </Title>
        <Text c="dimmed" mt={6} mb="lg" maw="70ch">
          {t(`billing.${kind}.accept_intro`, { client: client.name })}
        </Text>
        <Content key={client.client_id} kind={kind} />
      </main>
    </div>
  )
}

function Content({ kind }: { kind: LegalKind }): ReactNode {
  const { t } = useTranslation()
  const { history } = useRouter()
  const session = useSession()
  const { data, error, refetch } = useCurrentDocument(kind)
  const isDue = session.dueDocuments.some(due => due.kind === kind)
  // Screens of the console lead to the next document that is due.
  const goOn = () => history.replace(takeInitialPath())

  if (data === undefined && error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <BlockSkeleton height={360} />
  if (data === null || !isDue || !mayConfirm(session, kind))
    return (
      <EmptyState
        icon={<IconCircleCheck size={22} stroke={1.5} aria-hidden />}
        title={t(isDue ? 'billing.confirm.others_title' : 'billing.confirm.nothing_title')}
        text={t(isDue ? 'billing.confirm.others_text' : 'billing.confirm.nothing_text')}
        action={<Button onClick={goOn}>{t('billing.confirm.go_on')}</Button>}
      />
    )
  return (
    <>
      <Reading kind={kind} document={data} />
      <ConfirmForm key={data.id} kind={kind} document={data} onConfirmed={goOn} />
    </>
  )
}

function Reading({ kind, document }: { kind: LegalKind; document: PublishedDocument }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const about = t('billing.confirm.version', {
    version: document.version,
    day: format.date(dayInstant(document.valid_from)),
  })
  return (
    <>
      <Group justify="space-between" mb="xs" gap="xs">
        <Text size="sm" c="dimmed">
          {about}
        </Text>
        <PdfButton kind={kind} document={document} />
      </Group>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard */}
      <section className={classes.text} aria-label={about} tabIndex={0}>
        <DocumentText document={document} />
      </section>
    </>
  )
}
