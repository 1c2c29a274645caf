import type { RecordOf } from '@emma/client/emma-client.ts'
import { inviteUser, removeSecondFactorOf, unstuckUser } from '@emma/contract/actions/platform.ts'
import { user } from '@emma/contract/resources/user.ts'
import { confirm } from '@emma/ui/feedback/confirm.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import type { RowAction } from '@emma/ui/list/list-parts.ts'
import { Button } from '@mantine/core'
import { IconLockOpen, IconMailForward, IconShieldOff } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { showError } from '../../../shell/i18n/error-text.ts'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { useRights } from '../../../shell/session/use-rights.ts'

export type User = RecordOf<typeof user>

/** Row actions that restore a user's access: invite, unlock (R227), remove the second factor. */
export function useUserActions(): (row: User) => RowAction[] {
  const { t } = useTranslation()
  const { mayChange } = useRights(user)
  return row => {
    if (!mayChange) return []
    const invitation = {
      id: 'invite',
      label: t('platform.user.invite'),
      icon: <IconMailForward size={16} />,
      run: () => invite(row, t),
    }
    const unlocking = {
      id: 'unlock',
      label: t('platform.user.unlock'),
      icon: <IconLockOpen size={16} />,
      run: () => unlock(row, t),
    }
    const dropping = {
      id: 'second_factor',
      label: t('platform.second_factor.remove'),
      icon: <IconShieldOff size={16} />,
      run: () => dropSecondFactor(row, t),
    }
    return [
      ...(row.active && !row.has_password ? [invitation] : []),
      unlocking,
      ...(row.has_second_factor ? [dropping] : []),
    ]
  }
}

/** The same actions as buttons on the user's page. */
export function UserActions({ user: row }: { user: User }): ReactNode {
  const actions = useUserActions()(row)
  return actions.map(({ id, label, icon, run }) => (
    <Button
      key={id}
      variant="default"
      leftSection={icon}
      onClick={() => void Promise.resolve(run()).catch(showError)}
    >
      {label}
    </Button>
  ))
}

/** Sends the email with the link to set a password. */
export async function invite(row: User, t: TFunction): Promise<void> {
  try {
    await api.call(inviteUser, { params: { id: row.id } })
    notify.success(t('platform.user.invited', { email: row.email }))
  } catch (error) {
    showError(error)
  }
}

async function unlock(row: User, t: TFunction): Promise<void> {
  const { sessions, jobs } = await api.call(unstuckUser, { params: { id: row.id } })
  await refresh(user)
  notify.success(t('platform.user.unlocked', { name: row.username, sessions, jobs }))
}

async function dropSecondFactor(row: User, t: TFunction): Promise<void> {
  const isSure = await confirm({
    title: t('platform.user.second_factor_title', { name: row.username }),
    text: t('platform.user.second_factor_text'),
    confirmLabel: t('platform.second_factor.remove'),
    danger: true,
  })
  if (!isSure) return
  await api.call(removeSecondFactorOf, { params: { id: row.id } })
  await refresh(user)
  notify.success(t('platform.second_factor.removed'))
}
