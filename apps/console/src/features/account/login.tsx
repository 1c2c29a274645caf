import { Alert, Anchor, Button, PasswordInput, Stack, TextInput, useMantineColorScheme } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { Link, useRouter } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../shell/error-text.ts'
import { LoginMessages } from '../../shell/guidance/login-messages.tsx'
import { takeInitialPath } from '../../shell/initial-path.ts'
import { sessionStore } from '../../shell/session-store.ts'
import { Entrance } from './entrance.tsx'

// Fetched when somebody begins to log in: the page itself comes without what talks to the server.
const changeSession = () => import('../../shell/change-session.ts')
const preferences = () => import('../../shell/preferences.ts')

/** The way in; leads on to where the person wanted to go (R012). */
export default function LoginScreen(): ReactNode {
  const { t } = useTranslation()
  const { history } = useRouter()
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const { setColorScheme } = useMantineColorScheme()
  const passwordInput = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (sessionStore.get().claims) history.replace('/')
  }, [history])

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    try {
      const [{ login }, { applyPreferences }] = await Promise.all([changeSession(), preferences()])
      await login(field(form, 'username').trim(), field(form, 'password'))
      await applyPreferences(setColorScheme)
      history.replace(takeInitialPath())
    } catch (problem) {
      setError(problem)
      setBusy(false)
      passwordInput.current?.select()
    }
  }

  return (
    <Entrance title={t('account.login.title')} intro={t('account.login.intro')}>
      <LoginMessages />
      <form onSubmit={event => void submit(event)} onInput={() => void changeSession()}>
        <Stack>
          {error !== null && (
            <Alert role="alert" color="red" variant="light" icon={<IconAlertCircle size={18} />} py="xs">
              {errorText(error)}
            </Alert>
          )}
          <TextInput
            name="username"
            label={t('account.login.username')}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            withAsterisk={false}
            maxLength={64}
            size="md"
            data-autofocus
            autoFocus
          />
          <PasswordInput
            ref={passwordInput}
            name="password"
            label={t('account.login.password')}
            autoComplete="current-password"
            required
            withAsterisk={false}
            maxLength={200}
            size="md"
          />
          <Button type="submit" size="md" mt={4} loading={isBusy}>
            {t('account.login.submit')}
          </Button>
          <Anchor component={Link} to="/password-reset" size="sm" w="fit-content">
            {t('account.login.forgot')}
          </Anchor>
        </Stack>
      </form>
    </Entrance>
  )
}

function field(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
