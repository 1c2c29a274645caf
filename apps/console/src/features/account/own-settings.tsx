import { changePassword } from '@emma/contract/actions/account.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import {
  Button,
  Paper,
  PasswordInput,
  Select,
  Stack,
  Text,
  Title,
  useMantineColorScheme,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, session } from '../../shell/api.ts'
import { showError } from '../../shell/error-text.ts'
import { asLang, languages } from '../../shell/i18n.ts'
import { Page } from '../../shell/page.tsx'
import { isColorScheme, savePreference } from '../../shell/preferences.ts'
import { sessionStore } from '../../shell/session-store.ts'
import { useSession } from '../../shell/use-session.ts'
import { shortestPassword } from './shortest-password.ts'
import { colorSchemes } from '../../shell/theme-menu.tsx'

/** The person's own settings: applied at once, kept on the server with `{custom}` (R142). */
export default function OwnSettingsScreen(): ReactNode {
  const { t } = useTranslation()
  return (
    <Page title={t('screens.own_settings')} subtitle={t('account.settings.intro')}>
      <Stack maw={620} gap="lg">
        <Appearance />
        <NewPassword />
      </Stack>
    </Page>
  )
}

function Appearance(): ReactNode {
  const { t, i18n } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const save = useMutation({
    mutationFn: savePreference,
    onSuccess: () => notify.success(t('account.settings.saved')),
    onError: showError,
  })
  return (
    <Section title={t('account.settings.appearance')}>
      <Select
        label={t('account.settings.language')}
        data={languages.map(({ lang, title }) => ({ value: lang, label: title }))}
        value={asLang(i18n.resolvedLanguage)}
        allowDeselect={false}
        onChange={value => {
          const language = asLang(value ?? undefined)
          void i18n.changeLanguage(language)
          save.mutate({ language })
        }}
      />
      <Select
        label={t('account.settings.theme')}
        data={colorSchemes.map(({ scheme }) => ({ value: scheme, label: t(`shell.theme_${scheme}`) }))}
        value={colorScheme}
        allowDeselect={false}
        onChange={value => {
          if (!isColorScheme(value)) return
          setColorScheme(value)
          save.mutate({ color_scheme: value })
        }}
      />
    </Section>
  )
}

/** The old password proves who asks; all other sessions of the person end. */
function NewPassword(): ReactNode {
  const { t } = useTranslation()
  const { claims } = useSession()
  const [old, setOld] = useState('')
  const [password, setPassword] = useState('')
  const change = useMutation({
    mutationFn: async () => {
      if (!claims) throw new Error('No token found!')
      const body = { old_password: old, password }
      return api.call(changePassword, { params: { id: claims.sub.id }, body })
    },
    onSuccess: ({ token }) => {
      sessionStore.update({ claims: session.adopt(token) })
      setOld('')
      setPassword('')
      notify.success(t('account.settings.password_changed'))
    },
    onError: showError,
  })
  const isShort = password !== '' && password.length < shortestPassword
  return (
    <Section title={t('account.settings.security')} text={t('account.settings.security_text')}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (password.length >= shortestPassword) change.mutate()
        }}
      >
        <Stack>
          <PasswordInput
            label={t('account.settings.old_password')}
            value={old}
            onChange={event => setOld(event.currentTarget.value)}
            autoComplete="current-password"
            required
            withAsterisk={false}
          />
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
            {t('account.settings.security_submit')}
          </Button>
        </Stack>
      </form>
    </Section>
  )
}

function Section({
  title,
  text,
  children,
}: {
  title: string
  text?: string
  children: ReactNode
}): ReactNode {
  return (
    <Paper withBorder p="md" radius="lg" component="section">
      <Title order={2}>{title}</Title>
      {text && (
        <Text size="sm" c="dimmed" mt={2}>
          {text}
        </Text>
      )}
      <Stack mt="sm">{children}</Stack>
    </Paper>
  )
}
