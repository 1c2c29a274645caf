import { requestReset, resetPassword } from '@emma/contract/actions/account.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconAlertCircle, IconMailOpened } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'
import { errorText } from '../../shell/i18n/error-text.ts'
import { shortestPassword } from '../../shell/session/shortest-password.ts'
import { LoginLayout } from './login-layout.tsx'

/** Requests the reset email; opened by the link in it, sets the new password. */
export default function PasswordResetScreen(): ReactNode {
  const { t } = useTranslation()
  const search: { token?: unknown; invited?: unknown } = useSearch({ strict: false })
  const token = typeof search.token === 'string' ? search.token : null
  const intro = t(token === null ? 'account.reset.request_intro' : 'account.reset.set_intro')
  return (
    <LoginLayout
      title={t(search.invited ? 'account.reset.invited_title' : 'account.reset.title')}
      intro={intro}
    >
      {token === null ? <RequestForm /> : <SetForm token={token} />}
      <Anchor component={Link} to="/login" size="sm" mt="md" display="inline-block">
        {t('account.reset.back')}
      </Anchor>
    </LoginLayout>
  )
}

/** The response does not tell whether the account exists. */
function RequestForm(): ReactNode {
  const { t } = useTranslation()
  const [username, setUsername] = useState('')
  const request = useMutation({ mutationFn: () => api.call(requestReset, { body: { username } }) })
  if (request.data?.is_mailed === false) {
    return (
      <Alert role="status" icon={<IconAlertCircle size={18} />} title={t('account.reset.unmailed_title')}>
        {t('account.reset.unmailed_text')}
      </Alert>
    )
  }
  if (request.isSuccess) {
    return (
      <Alert role="status" icon={<IconMailOpened size={18} />} title={t('account.reset.requested_title')}>
        {t('account.reset.requested_text')}
      </Alert>
    )
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        request.mutate()
      }}
    >
      <Stack>
        {request.error && <Problem text={errorText(request.error)} />}
        <TextInput
          label={t('account.login.username')}
          value={username}
          onChange={event => setUsername(event.currentTarget.value)}
          autoComplete="username"
          required
          withAsterisk={false}
          size="md"
          autoFocus
        />
        <Button type="submit" size="md" loading={request.isPending}>
          {t('account.reset.request_submit')}
        </Button>
      </Stack>
    </form>
  )
}

function SetForm({ token }: { token: string }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [isChecked, setChecked] = useState(false)
  const save = useMutation({
    mutationFn: () => api.call(resetPassword, { body: { token, password } }),
    onSuccess: () => {
      notify.success(t('account.reset.done'))
      void navigate({ to: '/login' })
    },
  })
  const isShort = password.length < shortestPassword
  const isDifferent = password !== repeated
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        setChecked(true)
        if (!isShort && !isDifferent) save.mutate()
      }}
    >
      <Stack>
        {save.error && <Problem text={errorText(save.error)} />}
        <PasswordInput
          label={t('account.reset.password')}
          value={password}
          onChange={event => setPassword(event.currentTarget.value)}
          error={isChecked && isShort && t('account.reset.too_short')}
          autoComplete="new-password"
          size="md"
          autoFocus
        />
        <PasswordInput
          label={t('account.reset.repeat')}
          value={repeated}
          onChange={event => setRepeated(event.currentTarget.value)}
          error={isChecked && isDifferent && t('account.reset.different')}
          autoComplete="new-password"
          size="md"
        />
        <Button type="submit" size="md" loading={save.isPending}>
          {t('account.reset.set_submit')}
        </Button>
      </Stack>
    </form>
  )
}

function Problem({ text }: { text: string }): ReactNode {
  return (
    <Alert role="alert" color="red" variant="light" icon={<IconAlertCircle size={18} />} py="xs">
      {text}
    </Alert>
  )
}
