import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../i18n/error-text.ts'
import { isColorScheme, savePreference } from '../resource/preferences.ts'

export const colorSchemes = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconDeviceDesktop },
] as const

/** Menu of color schemes: light, dark or system; stored in the browser and in the user's settings. */
export function ThemeMenu({ className }: { className?: string | undefined }): ReactNode {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  function choose(scheme: string): void {
    if (!isColorScheme(scheme)) return
    setColorScheme(scheme)
    savePreference({ color_scheme: scheme }).catch(showError)
  }
  const Icon = colorSchemes.find(({ scheme }) => scheme === colorScheme)?.icon ?? IconSun
  return (
    <Menu>
      <Tooltip label={t('shell.theme')}>
        <Menu.Target>
          <ActionIcon
            className={className}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('shell.theme')}
          >
            <Icon size={18} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={choose}>
          {colorSchemes.map(({ scheme, icon: SchemeIcon }) => (
            <Menu.RadioItem
              key={scheme}
              value={scheme}
              closeMenuOnClick
              rightSection={<SchemeIcon size={16} stroke={1.6} />}
            >
              {t(`shell.theme_${scheme}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
