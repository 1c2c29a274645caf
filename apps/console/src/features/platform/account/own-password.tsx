import { changePassword } from '@emma/contract/actions/account.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { Button, PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { shortestPassword } from '../../../shell/session/shortest-password.ts'
import { AccountForm, PresentPassword } from './account-form.tsx'
import { goOnWith } from '../go-on-with.ts'
import { SettingsSection } from '../settings-section.tsx'

/** Form to change the password, confirmed by the current one; ends all other sessions. */
export function NewPassword({ userId }: { userId: number }): ReactNode {
  const { t } = useTranslation()
  const [old, setOld] = useState('')
  const [password, setPassword] = useState('')
  const change = useMutation({
    mutationFn: () =>
      goOnWith(
        api.callForToken(changePassword, {
          params: { id: userId },
          body: { old_password: old, password },
        }),
      ),
    onSuccess: () => {
      setOld('')
      setPassword('')
      notify.success(t('platform.own.password_changed'))
    },
  })
  const isShort = password !== '' && password.length < shortestPassword
  return (
    <SettingsSection title={t('platform.own.password')} text={t('platform.own.password_text')}>
      <AccountForm
        error={change.error}
        onSubmit={() => password.length >= shortestPassword && change.mutate()}
      >
        <PresentPassword value={old} onChange={setOld} error={change.error} />
        <PasswordInput
          label={t('account.reset.password')}
          description={t('account.reset.set_intro')}
          value={password}
          onChange={event => setPassword(event.currentTarget.value)}
          error={isShort && t('account.reset.too_short')}
          autoComplete="new-password"
          required
          withAsterisk={false}
        />
        <Button type="submit" variant="default" w="fit-content" loading={change.isPending}>
          {t('platform.own.password_submit')}
        </Button>
      </AccountForm>
    </SettingsSection>
  )
}
