import { ApiError } from '@emma/client/api-error.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { findTestbedMessage } from '@emma/contract/actions/deliverability.ts'
import { TextSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { SourceView } from '@emma/ui/code/code-editor.tsx'
import { CopyButton } from '@emma/ui/layout/copy-button.tsx'
import { type Tab, UrlTabs } from '@emma/ui/layout/url-tabs.tsx'
import { MailPreview } from '@emma/ui/mail-preview/mail-preview.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { ActionIcon, Alert } from '@mantine/core'
import { IconArrowLeft, IconPaperclip } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { TestbedEvents } from './testbed-events.tsx'
import { FolderMark } from './testbed-folder.tsx'
import { pollEvery } from './testbed-lists.ts'
import { withChange } from './testbed-state.ts'
import { TestbedVerdict, VerdictBadge } from './testbed-verdict.tsx'
import classes from './testbed.module.css'
import type { TestbedMail } from './testbed-mail.ts'

/** A received message with its authentication results and events. */
export function TestbedMessageView({ id, onClose }: { id: number; onClose: () => void }): ReactNode {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.action(findTestbedMessage, id),
    queryFn: ({ signal }) => api.call(findTestbedMessage, { params: { id }, ignoreCache: true, signal }),
    // The message itself never changes, but its events do.
    refetchInterval: query => (query.state.error ? false : pollEvery),
  })
  if (data) return <Mail mail={data} onClose={onClose} />
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState
        title={t('deliverability.testbed.gone_title')}
        text={t('deliverability.testbed.gone_text')}
        action={<Back onClose={onClose} />}
      />
    )
  }
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <div className={classes.loading}>
      <TextSkeleton lines={10} />
    </div>
  )
}

function Mail({ mail, onClose }: { mail: TestbedMail; onClose: () => void }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.testbed.${key}`)
  const format = useFormat()
  return (
    <article className={classes.open} aria-label={mail.subject}>
      <header className={classes.mailHead}>
        <Back onClose={onClose} />
        <h2 className={classes.title}>{mail.subject || text('no_subject')}</h2>
        <div className={classes.badges}>
          <FolderMark folder={mail.folder} />
          <VerdictBadge verified={mail.verified} />
        </div>
        <dl className={classes.envelope}>
          <dt>{text('from')}</dt>
          <dd>{mail.from}</dd>
          <dt>{text('to')}</dt>
          <dd>
            <Link
              to="."
              search={(current: Record<string, unknown>) => withChange(current, { mailbox: mail.mailbox })}
            >
              {mail.recipient}
            </Link>
          </dd>
          <dt>{text('return_path')}</dt>
          <dd className={classes.returnPath}>
            <span>{mail.sender || text('no_return_path')}</span>
            {mail.sender && <CopyButton value={mail.sender} label={text('copy_return_path')} />}
          </dd>
          <dt>{text('received')}</dt>
          <dd>
            {format.dateTime(mail.receivedAt)} · {format.bytes(mail.size)}
          </dd>
        </dl>
        {mail.attachments.length > 0 && (
          <ul className={classes.attachments} aria-label={text('attachments')}>
            {mail.attachments.map((attachment, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- two may have the same name
              <li key={place}>
                <IconPaperclip size={13} aria-hidden />
                {attachment.name || attachment.type} ({format.bytes(attachment.size)})
              </li>
            ))}
          </ul>
        )}
      </header>
      <div className={classes.views}>
        {mail.is_withheld && (
          <Alert title={text('withheld_title')} mb="md">
            {text('withheld_text')}
          </Alert>
        )}
        <UrlTabs label={text('views')} tabs={useTabs(mail)} />
      </div>
    </article>
  )
}

/** Tabs of a message; the first is selected initially: HTML, or text if there is no HTML. */
function useTabs(mail: TestbedMail): Tab[] {
  const { t } = useTranslation()
  const text = (key: string, values = {}) => t(`deliverability.testbed.${key}`, values)
  const html: Tab = {
    id: 'html',
    label: text('tabs.html'),
    content: () => (
      <MailPreview
        html={mail.html}
        text={mail.text}
        views={['desktop', 'mobile', 'dark']}
        height="max(360px, calc(100dvh - 490px))"
      />
    ),
  }
  const plain: Tab = { id: 'text', label: text('tabs.text'), content: () => <TextPart value={mail.text} /> }
  return [
    ...(mail.is_withheld ? [] : mail.html === null ? [plain] : [html, plain]),
    { id: 'checks', label: text('tabs.checks'), content: () => <TestbedVerdict mail={mail} /> },
    {
      id: 'events',
      label: text('tabs.events', { count: mail.events.length }),
      content: () => <TestbedEvents mail={mail} />,
    },
    { id: 'headers', label: text('tabs.headers'), content: () => <Headers headers={mail.headers} /> },
    {
      id: 'source',
      label: text('tabs.source'),
      content: () => (
        <SourceView
          value={mail.source}
          language="text"
          label={text('tabs.source')}
          height="max(360px, calc(100dvh - 420px))"
        />
      ),
    },
  ]
}

function TextPart({ value }: { value: string | null }): ReactNode {
  const { t } = useTranslation()
  if (value === null || value.trim() === '') return <p>{t('deliverability.testbed.no_text')}</p>
  return <pre className={classes.text}>{value}</pre>
}

function Headers({ headers }: { headers: TestbedMail['headers'] }): ReactNode {
  return (
    <dl className={classes.headers}>
      {headers.map(({ name, value }, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- headers repeat and never move
        <div key={place}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Back({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation()
  return (
    <ActionIcon
      className={classes.back}
      variant="default"
      aria-label={t('deliverability.testbed.back')}
      onClick={onClose}
    >
      <IconArrowLeft size={16} aria-hidden />
    </ActionIcon>
  )
}
