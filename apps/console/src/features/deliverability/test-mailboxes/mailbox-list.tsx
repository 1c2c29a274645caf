import type { RecordOf } from '@emma/client/emma-client.ts'
import { imapLogin } from '@emma/contract/resources/imap-login.ts'
import { imapSetting } from '@emma/contract/resources/imap-setting.ts'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'
import { RecordName } from '../../../shell/resource/record-name.tsx'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'

type Mailbox = RecordOf<typeof imapLogin>

/** List of test mailboxes with when they were read last, and why they could not be. */
export default function MailboxList(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const text = (key: string) => t(`deliverability.imap_login.${key}`)
  return (
    <ResourceList
      resource={imapLogin}
      columns={[
        'email',
        {
          id: 'setting_id',
          width: 180,
          align: 'start',
          cell: row => <RecordName resource={imapSetting} id={row.setting_id} />,
        },
        {
          id: 'active',
          header: text('state'),
          width: 150,
          cell: row => <MailboxBadge mailbox={row} />,
        },
        {
          id: 'last_error',
          header: text('problem'),
          cell: row => (row.last_error ? textOfFault(row.last_error) : ''),
        },
        { id: 'last_poll', width: 180, cell: row => format.relative(row.last_poll) },
      ]}
      filters={['onlyactive']}
    />
  )
}

function MailboxBadge({ mailbox: { active, last_error, last_poll } }: { mailbox: Mailbox }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.imap_login.states.${key}`)
  if (!active) return <StatusBadge tone="neutral">{text('off')}</StatusBadge>
  if (last_error) return <StatusBadge tone="negative">{text('faulty')}</StatusBadge>
  if (last_poll === null) return <StatusBadge tone="neutral">{text('new')}</StatusBadge>
  return <StatusBadge tone="positive">{text('read')}</StatusBadge>
}
