import { notify } from '@emma/ui/feedback/notify.tsx'
import { Select, useMantineColorScheme } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../shell/i18n/error-text.ts'
import { asLang, languages } from '../../../shell/i18n/i18n.ts'
import { isColorScheme, savePreference } from '../../../shell/resource/preferences.ts'
import { colorSchemes } from '../../../shell/layout/theme-menu.tsx'
import { SettingsSection } from '../settings-section.tsx'

/** Section of language and theme: applied at once and stored on the server with `{custom}` (R142). */
export function Appearance(): ReactNode {
  const { t, i18n } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const save = useMutation({
    mutationFn: savePreference,
    onSuccess: () => notify.success(t('platform.own.saved')),
    onError: showError,
  })
  return (
    <SettingsSection title={t('platform.own.appearance')}>
      <Select
        label={t('platform.own.language')}
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
        label={t('platform.own.theme')}
        data={colorSchemes.map(({ scheme }) => ({ value: scheme, label: t(`shell.theme_${scheme}`) }))}
        value={colorScheme}
        allowDeselect={false}
        onChange={value => {
          if (!isColorScheme(value)) return
          setColorScheme(value)
          save.mutate({ color_scheme: value })
        }}
      />
    </SettingsSection>
  )
}
