import type { Permission } from '@emma/contract/permissions.ts'
import type { SpotlightActionData } from '@mantine/spotlight'
import { useMantineColorScheme } from '@mantine/core'
import {
  IconDeviceDesktop,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSettings,
  IconSun,
} from '@tabler/icons-react'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { logout } from '../session/change-session.ts'
import { showError } from '../i18n/error-text.ts'
import { languages } from '../i18n/i18n.ts'
import { keyboardMap } from '../layout/keyboard-map-store.ts'
import { type ColorScheme, savePreference } from '../resource/preferences.ts'
import { holds, useSession } from '../session/use-session.ts'

const creations: readonly { key: string; path: string; right: Permission }[] = [
  { key: 'campaign', path: '/campaigns/edit/new', right: 'EmmaCampaign:post' },
  { key: 'template', path: '/templates/edit/new', right: 'EmmaMessage:post' },
  { key: 'segment', path: '/subscribers/segments/edit/new', right: 'EmmaList:post' },
  { key: 'upload', path: '/subscribers/dataupload/edit/new', right: 'DataUpload:post' },
]

const schemes = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconDeviceDesktop },
] as const

/** Commands of the palette other than opening a screen. */
export function usePaletteCommands(): SpotlightActionData[] {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const { history } = useRouter()
  const session = useSession()
  const { setColorScheme } = useMantineColorScheme()

  function choose(change: { color_scheme: ColorScheme } | { language: string }): void {
    if ('language' in change) void i18n.changeLanguage(change.language)
    else setColorScheme(change.color_scheme)
    savePreference(change).catch(showError)
  }

  return [
    ...creations
      .filter(({ right }) => holds(session, { all: [right] }))
      .map(({ key, path }) => ({
        id: `new-${key}`,
        label: t(`shell.new_${key}`),
        leftSection: <IconPlus size={16} stroke={1.6} />,
        onClick: () => history.push(path),
      })),
    ...schemes.map(({ scheme, icon: SchemeIcon }) => ({
      id: `theme-${scheme}`,
      label: `${t('shell.theme')}: ${t(`shell.theme_${scheme}`)}`,
      leftSection: <SchemeIcon size={16} stroke={1.6} />,
      onClick: () => choose({ color_scheme: scheme }),
    })),
    ...languages.map(({ lang, title }) => ({
      id: `language-${lang}`,
      label: `${t('shell.language')}: ${title}`,
      leftSection: <IconLanguage size={16} stroke={1.6} />,
      onClick: () => choose({ language: lang }),
    })),
    {
      id: 'settings',
      label: t('shell.settings'),
      leftSection: <IconSettings size={16} stroke={1.6} />,
      onClick: () => void navigate({ to: '/usersettings' }),
    },
    {
      id: 'keyboard',
      label: t('shell.keyboard'),
      leftSection: <IconKeyboard size={16} stroke={1.6} />,
      onClick: keyboardMap.open,
    },
    {
      id: 'logout',
      label: t('shell.logout'),
      leftSection: <IconLogout size={16} stroke={1.6} />,
      onClick: () => void logout().then(() => navigate({ to: '/login' })),
    },
  ]
}
