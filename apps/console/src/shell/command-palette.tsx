import '@mantine/spotlight/styles.layer.css'
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import { IconArrowRight, IconLogout, IconMoon, IconSearch, IconSun } from '@tabler/icons-react'
import { useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { logout } from './change-session.ts'
import classes from './command-palette.module.css'
import { languages } from './i18n.ts'
import { paletteStore } from './palette-store.ts'
import { useNavigation } from './use-navigation.ts'

/** ⌘K: every screen the person may open, and commands. */
export default function CommandPalette(): ReactNode {
  const { t } = useTranslation()
  const groups: SpotlightActionGroupData[] = [
    { group: t('shell.search_screens'), actions: useScreenActions() },
    { group: t('shell.search_commands'), actions: useCommandActions() },
  ]
  return (
    <Spotlight
      store={paletteStore}
      actions={groups}
      shortcut="mod + K"
      tagsToIgnore={[]}
      limit={12}
      scrollable
      maxHeight={420}
      centered={false}
      yOffset="12vh"
      overlayProps={{ blur: 0, backgroundOpacity: 0.35 }}
      classNames={{ action: classes.action ?? '', search: classes.search ?? '' }}
      highlightQuery
      attributes={{ content: { 'aria-label': t('shell.search_short') } }}
      nothingFound={t('shell.search_nothing')}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.6} />,
        placeholder: t('shell.search'),
        'aria-label': t('shell.search_short'),
      }}
    />
  )
}

function useScreenActions() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const icon = <IconArrowRight size={16} stroke={1.6} />
  return useNavigation().flatMap(area =>
    area.entries.map(({ to, params, title }) => ({
      id: to,
      label: t(title),
      description: t(`areas.${area.key}`),
      leftSection: icon,
      onClick: () => void navigate({ to, params: params ?? {} }),
    })),
  )
}

function useCommandActions() {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  return [
    {
      id: 'theme-light',
      label: `${t('shell.theme')}: ${t('shell.theme_light')}`,
      leftSection: <IconSun size={16} stroke={1.6} />,
      onClick: () => setColorScheme('light'),
    },
    {
      id: 'theme-dark',
      label: `${t('shell.theme')}: ${t('shell.theme_dark')}`,
      leftSection: <IconMoon size={16} stroke={1.6} />,
      onClick: () => setColorScheme('dark'),
    },
    ...languages.map(({ lang, title }) => ({
      id: `language-${lang}`,
      label: `${t('shell.language')}: ${title}`,
      onClick: () => void i18n.changeLanguage(lang),
    })),
    {
      id: 'logout',
      label: t('shell.logout'),
      leftSection: <IconLogout size={16} stroke={1.6} />,
      onClick: () => void logout().then(() => navigate({ to: '/login' })),
    },
  ]
}
