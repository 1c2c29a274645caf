import { resubscribeMember, unsubscribeMember } from '@emma/contract/actions/audience.ts'
import { member } from '@emma/contract/resources/member.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import type { BulkAction, RowAction } from '@emma/ui/list/list-parts.ts'
import { IconHistory, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { api } from '../../../shell/session/api.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import { askReason } from '../blacklists/ask-reason.tsx'
import type { Member } from './member-columns.tsx'

/** Activity, unsubscribe and resubscribe for one or many members of a datasource. */
export function useMemberActions(table: number): {
  forRow: (row: Member) => RowAction[]
  forMany: BulkAction<Member>[]
} {
  const { t } = useTranslation()
  const { history } = useRouter()
  const { mayChange } = useRights(member)
  const reason = useRef('')
  const unsubscribe = async (row: Member) => {
    await api.call(unsubscribeMember, { params: { member_table_id: table, member_id: row.member_id } })
    await refresh(member)
  }
  const resubscribe = async (row: Member, why: string) => {
    const params = { member_table_id: table, member_id: row.member_id }
    await api.call(resubscribeMember, { params, body: { reason: why } })
    await refresh(member)
  }
  const undo = (row: Member) => resubscribe(row, t('audience.member.undo_reason'))
  const off = { id: 'unsubscribe', label: t('audience.member.unsubscribe'), icon: <IconUserOff size={16} /> }
  const back = {
    id: 'resubscribe',
    label: t('audience.member.resubscribe'),
    icon: <IconUserCheck size={16} />,
  }
  const activity = (row: Member): RowAction => ({
    id: 'activity',
    label: t('screens.subscriber_activity'),
    icon: <IconHistory size={16} />,
    run: () => history.push(`/subscribers/activity/${row.member_id}?table=${table}`),
  })
  if (!mayChange) return { forRow: row => [activity(row)], forMany: [] }
  return {
    forRow: row => [
      activity(row),
      isSubscribed(row)
        ? {
            ...off,
            run: () => unsubscribe(row),
            done: {
              message: t('audience.member.unsubscribed', { name: row.email }),
              undo: () => undo(row),
            },
          }
        : {
            ...back,
            run: async () => {
              const given = await askReason(back.label)
              if (given === null) return
              await resubscribe(row, given)
              notify.success(t('audience.member.resubscribed', { name: row.email }))
            },
          },
    ],
    forMany: [
      {
        ...off,
        isPossible: isSubscribed,
        confirm: rows => ({
          title: t('audience.member.unsubscribe_many', { count: rows.length }),
          text: t('audience.member.unsubscribe_text'),
          confirmLabel: off.label,
          danger: true,
        }),
        run: unsubscribe,
        undo,
      },
      {
        ...back,
        isPossible: row => !isSubscribed(row),
        prepare: async () => {
          const given = await askReason(back.label)
          reason.current = given ?? ''
          return given !== null
        },
        run: row => resubscribe(row, reason.current),
      },
    ],
  }
}

function isSubscribed(row: Member): boolean {
  return row.dateunjoin === null
}
