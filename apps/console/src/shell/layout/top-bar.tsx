import { ActionIcon, Kbd, Tooltip, UnstyledButton } from '@mantine/core'
import { IconHelpCircle, IconMenu2, IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { createElement, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../session/can.tsx'
import { ClientSwitcher } from './client-switcher.tsx'
import { JobsMenu } from '../notifications/jobs-menu.tsx'
import { LanguageMenu } from '../i18n/language-menu.tsx'
import { NotificationBell } from '../notifications/notification-bell.tsx'
import { palette } from '../palette/palette-store.ts'
import { ThemeMenu } from './theme-menu.tsx'
import { topBarButton } from './top-bar-slots.ts'
import classes from './top-bar.module.css'
import { UserMenu } from './user-menu.tsx'

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The top bar: client switcher, search, jobs, notifications, help, language, theme, user menu. */
export function TopBar({ onOpenNavigation }: { onOpenNavigation: () => void }): ReactNode {
  const { t } = useTranslation()
  const whatsNew = topBarButton('whats_new')
  return (
    <header className={classes.bar}>
      <ActionIcon
        className={classes.narrowOnly}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('shell.navigation_open')}
        onClick={onOpenNavigation}
      >
        <IconMenu2 size={20} stroke={1.6} />
      </ActionIcon>
      <ClientSwitcher />
      <UnstyledButton className={classes.search} data-tour="search" onClick={palette.open}>
        <IconSearch size={15} stroke={1.8} aria-hidden />
        <span>{t('shell.search')}</span>
        <Kbd size="xs">{isMac ? '⌘ K' : 'Ctrl K'}</Kbd>
      </UnstyledButton>
      <div className={classes.tools}>
        <ActionIcon
          className={classes.narrowOnly}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('shell.search_short')}
          onClick={palette.open}
        >
          <IconSearch size={18} stroke={1.6} />
        </ActionIcon>
        <JobsMenu />
        <NotificationBell />
        {whatsNew && createElement(whatsNew)}
        <Can demand={{ all: ['Help:get'] }}>{createElement(topBarButton('help') ?? HelpLink)}</Can>
        <LanguageMenu className={classes.wideOnly} />
        <ThemeMenu className={classes.wideOnly} />
        <UserMenu />
      </div>
    </header>
  )
}

function HelpLink(): ReactNode {
  const { t } = useTranslation()
  return (
    <Tooltip label={t('shell.help')}>
      <ActionIcon
        className={classes.wideOnly}
        component={Link}
        to="/help"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('shell.help')}
      >
        <IconHelpCircle size={18} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  )
}
