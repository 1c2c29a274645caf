import { Alert, Anchor, Button, PasswordInput, Stack, TextInput, useMantineColorScheme } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { ApiError } from '@emma/client/api-error.ts'
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../shell/i18n/error-text.ts'
import { LoginMessages } from '../../shell/guidance/login-messages.tsx'
import { takeInitialPath } from '../../shell/layout/initial-path.ts'
import { sessionStore } from '../../shell/session/session-store.ts'
import { LoginLayout } from './login-layout.tsx'
import { ProviderLogin, providerAnswer } from './provider-login.tsx'

// Loaded at the first input into the form: the page itself works without the API code.
const changeSession = () => import('../../shell/session/change-session.ts')
const preferences = () => import('../../shell/resource/preferences.ts')

interface LoginScreenProps {
  /** Navigates away from the login; through the history, which the router follows if it is loaded. */
  goTo?: (address: string) => void
}

/** Login form; afterwards leads to the initially requested path (R012). Users with a second factor enter its code. */
export default function LoginScreen({ goTo = replaceAddress }: LoginScreenProps = {}): ReactNode {
  const { t } = useTranslation()
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const [codeAfter, setCodeAfter] = useState<'password' | 'provider' | null>(null)
  const { setColorScheme } = useMantineColorScheme()
  const passwordInput = useRef<HTMLInputElement>(null)
  const codeInput = useRef<HTMLInputElement>(null)

  async function enter(
    by: 'password' | 'provider',
    login: (session: typeof import('../../shell/session/change-session.ts')) => Promise<void>,
  ) {
    setBusy(true)
    try {
      const [session, { applyPreferences }] = await Promise.all([changeSession(), preferences()])
      await login(session)
      await applyPreferences(setColorScheme)
      goTo(takeInitialPath())
    } catch (problem) {
      setBusy(false)
      if (codeOf(problem) === 'second_factor_required') {
        setCodeAfter(by)
        setError(null)
        return
      }
      setError(problem)
      const faulty = codeOf(problem) === 'second_factor_wrong' ? codeInput : passwordInput
      faulty.current?.select()
    }
  }

  const comeBack = useEffectEvent(() => {
    if (sessionStore.get().claims) return goTo('/')
    const answer = providerAnswer(location.search)
    if (answer === null) return
    // The answer is valid once: removed from the URL, so that a reload does not send it again.
    history.replaceState(null, '', '/login')
    // After this effect, so that the screen renders before its busy state.
    queueMicrotask(() => void enter('provider', session => session.finishProviderLogin({ answer })))
  })
  useEffect(() => comeBack(), [])

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const code = codeAfter === null ? undefined : field(form, 'code').trim()
    if (codeAfter === 'provider' && code !== undefined)
      void enter('provider', session => session.finishProviderLogin({ code }))
    else
      void enter('password', ({ login }) =>
        login(field(form, 'username').trim(), field(form, 'password'), code),
      )
  }

  return (
    <LoginLayout title={t('account.login.title')} intro={t('account.login.intro')}>
      <LoginMessages />
      <form onSubmit={submit} onInput={() => void changeSession()}>
        <Stack>
          {error !== null && (
            <Alert role="alert" color="red" variant="light" icon={<IconAlertCircle size={18} />} py="xs">
              {errorText(error)}
            </Alert>
          )}
          {codeAfter !== 'provider' && (
            <>
              <TextInput
                name="username"
                label={t('account.login.username')}
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                required
                withAsterisk={false}
                maxLength={254}
                size="md"
                readOnly={codeAfter !== null}
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
                readOnly={codeAfter !== null}
              />
            </>
          )}
          {codeAfter !== null && (
            <TextInput
              ref={codeInput}
              name="code"
              label={t('account.login.code')}
              description={t('account.login.code_text')}
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              required
              withAsterisk={false}
              maxLength={40}
              size="md"
              autoFocus
            />
          )}
          <Button type="submit" size="md" mt={4} loading={isBusy}>
            {t('account.login.submit')}
          </Button>
          {codeAfter !== null && (
            <Button
              variant="subtle"
              color="gray"
              onClick={() => {
                setCodeAfter(null)
                setError(null)
              }}
            >
              {t('account.login.other_account')}
            </Button>
          )}
          {codeAfter === null && <ProviderLogin isBusy={isBusy} onError={setError} />}
          <Anchor href="/password-reset" size="sm" w="fit-content">
            {t('account.login.forgot')}
          </Anchor>
        </Stack>
      </form>
    </LoginLayout>
  )
}

function replaceAddress(address: string): void {
  history.replaceState(null, '', address)
}

function codeOf(error: unknown): string | null {
  return error instanceof ApiError ? error.code : null
}

function field(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
