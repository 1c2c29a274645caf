import {
  confirmMember,
  eraseMember,
  resubscribeMember,
  unsubscribeMember,
} from '@emma/contract/actions/audience.ts'
import { member as memberResource } from '@emma/contract/resources/member.ts'
import { confirm } from '@emma/ui/feedback/confirm.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { Button, Menu } from '@mantine/core'
import {
  IconDots,
  IconHistory,
  IconMailQuestion,
  IconMailSearch,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { showError } from '../../../shell/i18n/error-text.ts'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import { askReason } from '../blacklists/ask-reason.tsx'
import type { Member } from './member-columns.tsx'

interface MemberActionsProps {
  table: number
  member: Member
}

/** Buttons of a member: activity, unsubscribe or resubscribe, and permanent deletion. */
export function MemberActions({ table, member }: MemberActionsProps): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { mayChange, mayDelete } = useRights(memberResource)
  const params = { member_table_id: table, member_id: member.member_id }

  async function erase(): Promise<void> {
    const isSure = await confirm({
      title: t('audience.member.erase_title', { name: member.email }),
      text: t('audience.member.erase_text'),
      confirmLabel: t('audience.member.erase'),
      danger: true,
      typed: member.email,
    })
    if (!isSure) return
    const isGone = await act(() => api.call(eraseMember, { params }), t('audience.member.erased'))
    if (isGone) void navigate({ to: '/subscribers/archive', search: { table } })
  }

  async function sendRequest(): Promise<void> {
    try {
      const { outcome } = await api.call(confirmMember, { params })
      await refresh(memberResource)
      const text = t(`audience.member.request_outcomes.${outcome}`)
      if (outcome === 'requested') notify.success(text)
      else notify.info(text)
    } catch (error) {
      showError(error)
    }
  }

  async function resubscribe(): Promise<void> {
    const reason = await askReason(t('audience.member.resubscribe'))
    if (reason === null) return
    await act(
      () => api.call(resubscribeMember, { params, body: { reason } }),
      t('audience.member.resubscribed', { name: member.email }),
    )
  }

  return (
    <>
      <Button
        renderRoot={props => (
          <Link
            to="/subscribers/activity/$id"
            params={{ id: String(member.member_id) }}
            search={{ table }}
            {...props}
          />
        )}
        variant="default"
        leftSection={<IconHistory size={16} />}
      >
        {t('screens.subscriber_activity')}
      </Button>
      {(member.dateunjoin !== null || !member.active) && (
        <Button
          renderRoot={props => (
            <Link to="/subscribers/address-check" search={{ email: member.email }} {...props} />
          )}
          variant="default"
          leftSection={<IconMailSearch size={16} />}
        >
          {t('audience.address_check.why_none')}
        </Button>
      )}
      {mayChange && member.dateunjoin === null && (
        <Button
          variant="default"
          leftSection={<IconUserOff size={16} />}
          onClick={() =>
            void act(
              () => api.call(unsubscribeMember, { params }),
              t('audience.member.unsubscribed', { name: member.email }),
            )
          }
        >
          {t('audience.member.unsubscribe')}
        </Button>
      )}
      {mayChange && member.doi_state === 'pending' && (
        <Button
          variant="default"
          leftSection={<IconMailQuestion size={16} />}
          onClick={() => void sendRequest()}
        >
          {t('audience.member.send_request')}
        </Button>
      )}
      {mayChange && member.dateunjoin !== null && (
        <Button
          variant="default"
          leftSection={<IconUserCheck size={16} />}
          onClick={() => void resubscribe()}
        >
          {t('audience.member.resubscribe')}
        </Button>
      )}
      {mayDelete && (
        <Menu>
          <Menu.Target>
            <Button variant="default" px={8} aria-label={t('audience.more')}>
              <IconDots size={16} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item color="red" onClick={() => void erase()}>
              {t('audience.member.erase')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  )
}

/** Runs the action, invalidates members and notifies. Returns false on an error. */
async function act(work: () => Promise<unknown>, done: string): Promise<boolean> {
  try {
    await work()
    await refresh(memberResource)
    notify.success(done)
    return true
  } catch (error) {
    showError(error)
    return false
  }
}
