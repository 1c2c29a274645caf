import { notify } from '@emma/ui/feedback/notify.tsx'
import { Button, Paper, Select, Stack, Text, TextInput, Title, useMantineColorScheme } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { requestPasswordReset } from '../../shell/account-calls.ts'
import { api } from '../../shell/api.ts'
import { showError } from '../../shell/error-text.ts'
import { asLang, languages } from '../../shell/i18n.ts'
import { isColorScheme, savePreference } from '../../shell/preferences.ts'
import { colorSchemes } from '../../shell/theme-menu.tsx'

/** The person's own settings: applied at once, kept on the server with `{custom}` (R142). */
export default function OwnSettingsScreen(): ReactNode {
  const { t } = useTranslation()
  return (
    <Stack maw={620} gap="lg">
      <div>
        <Title order={1}>{t('screens.own_settings')}</Title>
        <Text c="dimmed" mt={4}>
          {t('account.settings.intro')}
        </Text>
      </div>
      <Appearance />
      <NewPassword />
    </Stack>
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

/** A password is changed through a mailed link: who sits at an unlocked screen cannot take the account over. */
function NewPassword(): ReactNode {
  const { t } = useTranslation()
  const [username, setUsername] = useState('')
  const request = useMutation({
    mutationFn: () => api.call(requestPasswordReset, { body: { username } }),
    onSuccess: () => notify.success(t('account.reset.requested_text')),
    onError: showError,
  })
  return (
    <Section title={t('account.settings.security')}>
      <Text size="sm" c="dimmed">
        {t('account.settings.security_text')}
      </Text>
      <form
        onSubmit={event => {
          event.preventDefault()
          request.mutate()
        }}
      >
        <Stack>
          <TextInput
            label={t('account.settings.security_username')}
            value={username}
            onChange={event => setUsername(event.currentTarget.value)}
            autoComplete="username"
            required
            withAsterisk={false}
          />
          <Button type="submit" variant="default" w="fit-content" loading={request.isPending}>
            {t('account.settings.security_submit')}
          </Button>
        </Stack>
      </form>
    </Section>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <Paper withBorder p="md" radius="lg" component="section">
      <Title order={2} mb="sm">
        {title}
      </Title>
      <Stack>{children}</Stack>
    </Paper>
  )
}
