import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from './error-text.ts'
import { languages } from './i18n.ts'
import { savePreference } from '../resource/preferences.ts'

/** Menu of the console's languages; the selection is stored in the browser and in the user's settings. */
export function LanguageMenu({ className }: { className?: string | undefined }): ReactNode {
  const { t, i18n } = useTranslation()
  function choose(language: string): void {
    void i18n.changeLanguage(language)
    savePreference({ language }).catch(showError)
  }
  return (
    <Menu>
      <Tooltip label={t('shell.language')}>
        <Menu.Target>
          <ActionIcon
            className={className}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('shell.language')}
          >
            <IconLanguage size={18} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        <Menu.RadioGroup value={i18n.resolvedLanguage ?? 'en'} onChange={choose}>
          {languages.map(({ lang, iso, title }) => (
            <Menu.RadioItem key={lang} value={lang} lang={iso} closeMenuOnClick>
              {title}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
