import { Avatar, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import {
  IconApi,
  IconExternalLink,
  IconKeyboard,
  IconLogout,
  IconSettings,
  IconSparkles,
  IconTicket,
} from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { brand } from './brand.ts'
import { logout } from '../session/change-session.ts'
import { keyboardMap } from './keyboard-map-store.ts'
import classes from './user-menu.module.css'
import { useSession } from '../session/use-session.ts'
import { ViewAsItems } from '../session/view-as-items.tsx'

/** The user's menu: settings, view as a role, links of the brand, logout. */
export function UserMenu(): ReactNode {
  const { t } = useTranslation()
  const { claims } = useSession()
  const navigate = useNavigate()
  if (!claims) return null
  const name = `${claims.sub.firstname} ${claims.sub.lastname}`.trim()

  async function leave(): Promise<void> {
    await logout()
    await navigate({ to: '/login' })
  }

  return (
    <Menu width={230}>
      <Menu.Target>
        <UnstyledButton className={classes.target}>
          <Avatar size={28} radius="xl" name={name} color="brand" aria-hidden />
          <VisuallyHidden>{t('shell.user_menu', { name })}</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Text px={10} py={6} size="sm" fw={600} truncate>
          {name}
        </Text>
        <Menu.Item leftSection={<IconSettings size={16} stroke={1.6} />} component={Link} to="/usersettings">
          {t('shell.settings')}
        </Menu.Item>
        <Menu.Item leftSection={<IconSparkles size={16} stroke={1.6} />} component={Link} to="/changelog">
          {t('screens.changelog')}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} stroke={1.6} />} onClick={keyboardMap.open}>
          {t('shell.keyboard')}
        </Menu.Item>
        <ViewAsItems />
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconApi size={16} stroke={1.6} />}
          component="a"
          href="/api/docs"
          target="_blank"
          rel="noopener"
        >
          {t('shell.api_docs')}
        </Menu.Item>
        {brand.links.tickets && (
          <Menu.Item
            leftSection={<IconTicket size={16} stroke={1.6} />}
            component="a"
            href={brand.links.tickets}
            target="_blank"
            rel="noopener"
          >
            {t('shell.tickets')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconExternalLink size={16} stroke={1.6} />}
          component="a"
          href={brand.links.promo}
          target="_blank"
          rel="noopener"
        >
          {t('shell.promo', { brand: brand.shortName })}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.6} />} onClick={() => void leave()}>
          {t('shell.logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
