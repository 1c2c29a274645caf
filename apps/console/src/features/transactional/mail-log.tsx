import type { RecordOf } from '@emma/client/emma-client.ts'
import {
  cancelTransactionalMail,
  listTransactionalMails,
  type LoggedMail,
  mailStates,
  resendTransactionalMail,
} from '@emma/contract/actions/transactional.ts'
import { transactionalcampaign } from '@emma/contract/resources/transactionalcampaign.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { Column, RowAction } from '@emma/ui/list/list-parts.ts'
import { IconBan, IconRepeat } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useUrlDrawer } from '../../shell/layout/use-url-drawer.ts'
import { LogList } from '../../shell/resource/log-list.tsx'
import { queryClient } from '../../shell/resource/query-client.ts'
import { api } from '../../shell/session/api.ts'
import { usePermission } from '../../shell/session/use-session.ts'
import { MailDrawer } from './mail-drawer.tsx'
import { mailTones } from './mail-tones.ts'
import { useMailReason } from './use-mail-reason.ts'

/** States in which an email can be cancelled. */
const open = new Set<LoggedMail['state']>(['scheduled', 'waiting', 'pending', 'deferred'])

/** Log of the emails of a transactional email: search, state, content; sent again or cancelled. */
export function MailLog({ record }: { record: RecordOf<typeof transactionalcampaign> }): ReactNode {
  const { t } = useTranslation()
  const drawer = useUrlDrawer('mail')
  const openId = typeof drawer.value === 'number' ? drawer.value : null
  const maySend = usePermission({ all: ['EmmaTransactional:post'] })
  const mayResend = usePermission({ all: ['EmmaTransactional:patch'] })
  const { id } = record

  const reload = () => queryClient.invalidateQueries({ queryKey: ['action', listTransactionalMails.name] })

  const actions = (row: LoggedMail): RowAction[] => [
    ...(maySend && open.has(row.state)
      ? [
          {
            id: 'cancel',
            label: t('transactional.log.cancel'),
            icon: <IconBan size={16} />,
            run: async () => {
              await api.call(cancelTransactionalMail, { params: { id, mail_id: row.message_id } })
              await reload()
            },
          },
        ]
      : []),
    ...(mayResend && !open.has(row.state)
      ? [
          {
            id: 'resend',
            label: t('transactional.log.resend'),
            icon: <IconRepeat size={16} />,
            run: async () => {
              await api.call(resendTransactionalMail, { params: { id, mail_id: row.message_id } })
              notify.success(t('transactional.log.resent', { email: row.email }))
              await reload()
            },
          },
        ]
      : []),
  ]

  return (
    <>
      <LogList
        name="transactional-log"
        label={t('transactional.tabs.log')}
        columns={useColumns()}
        action={listTransactionalMails}
        id={id}
        states={mailStates}
        stateLabel={t('transactional.state')}
        stateText={state => t(`transactional.mail_states.${state}`)}
        load={(query, options) => api.call(listTransactionalMails, { params: { id }, query, ...options })}
        rowKey={row => row.message_id}
        rowLabel={row => row.email}
        onOpen={row => drawer.open(row.message_id)}
        rowActions={actions}
        isBusy={row => row.state === 'pending'}
        empty={{ title: t('transactional.log.empty_title'), text: t('transactional.log.empty_text') }}
      />
      <MailDrawer transactionalId={id} mailId={openId} onClose={drawer.close} />
    </>
  )
}

function useColumns(): Column<LoggedMail>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const reasonOf = useMailReason()
  return [
    { id: 'email', header: t('transactional.log.email'), cell: row => row.email },
    {
      id: 'state',
      header: t('transactional.state'),
      width: 170,
      cell: row => (
        <StatusBadge tone={mailTones[row.state]} isLive={row.state === 'pending'}>
          {t(`transactional.mail_states.${row.state}`)}
        </StatusBadge>
      ),
    },
    { id: 'reason', header: t('transactional.log.reason'), cell: row => reasonOf(row) },
    {
      id: 'due_at',
      header: t('transactional.log.time'),
      width: 180,
      cell: row => format.dateTime(row.state === 'scheduled' ? row.due_at : row.created_at),
    },
    {
      id: 'opened_at',
      header: t('transactional.log.opened'),
      width: 170,
      cell: row => (row.opened_at === null ? null : format.dateTime(row.opened_at)),
    },
  ]
}
