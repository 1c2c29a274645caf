import { ActionIcon, Menu, ScrollArea, Tooltip, UnstyledButton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import {
  IconChevronRight,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
} from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brand } from './brand.ts'
import { Logo } from './logo.tsx'
import classes from './sidebar.module.css'
import { type OfferedArea, type OfferedEntry, useNavigation } from './use-navigation.ts'

/** The left navigation. The narrow variant shows the areas' icons, each with a menu of its screens. */
export function Sidebar(): ReactNode {
  const { t } = useTranslation()
  const [isNarrow, setNarrow] = useLocalStorage({ key: 'emma.navigation-narrow', defaultValue: false })
  const Toggle = isNarrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  const toggleLabel = t(isNarrow ? 'shell.navigation_widen' : 'shell.navigation_narrow')
  return (
    <nav className={classes.sidebar} data-narrow={isNarrow || undefined} aria-label={t('shell.navigation')}>
      <div className={classes.head}>
        <Link to="/dashboard" className={classes.logo}>
          <Logo brand={brand} compact={isNarrow} />
        </Link>
      </div>
      <NavigationAreas isNarrow={isNarrow} />
      <div className={classes.foot}>
        <Tooltip label={toggleLabel} position="right">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={toggleLabel}
            aria-expanded={!isNarrow}
            onClick={() => setNarrow(!isNarrow)}
          >
            <Toggle size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </div>
    </nav>
  )
}

/** The list of areas; also used in the drawer on small screens. */
export function NavigationAreas({ isNarrow = false }: { isNarrow?: boolean }): ReactNode {
  const areas = useNavigation()
  return (
    <ScrollArea className={classes.areas} type="hover" scrollbarSize={6}>
      <ul className={classes.list}>
        {areas.map(area => (
          <li key={area.key}>{isNarrow ? <NarrowArea area={area} /> : <WideArea area={area} />}</li>
        ))}
      </ul>
    </ScrollArea>
  )
}

function WideArea({ area }: { area: OfferedArea }): ReactNode {
  const { t } = useTranslation()
  const isActive = useIsActive(area)
  // Expanded if the area is active or the user expanded it; the user may also collapse the active one.
  const [choice, setChoice] = useState<boolean | null>(null)
  const isOpen = choice ?? isActive
  const [first] = area.entries
  const Icon = area.icon
  if (area.entries.length === 1 && first) {
    return (
      <Link
        to={first.to}
        params={first.params ?? {}}
        className={classes.area}
        data-area={area.key}
        data-active={isActive || undefined}
      >
        <Icon size={18} stroke={1.6} aria-hidden />
        {t(first.title)}
      </Link>
    )
  }
  return (
    <>
      <UnstyledButton
        className={classes.area}
        data-area={area.key}
        aria-expanded={isOpen}
        data-active={(isActive && !isOpen) || undefined}
        onClick={() => setChoice(!isOpen)}
      >
        <Icon size={18} stroke={1.6} aria-hidden />
        {t(`areas.${area.key}`)}
        <IconChevronRight className={classes.chevron} size={14} stroke={2} aria-hidden />
      </UnstyledButton>
      {isOpen && (
        <ul className={classes.entries}>
          {area.entries.map(entry => (
            <li key={entry.to}>
              <EntryLink entry={entry} className={classes.entry} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function NarrowArea({ area }: { area: OfferedArea }): ReactNode {
  const { t } = useTranslation()
  const isActive = useIsActive(area)
  const Icon = area.icon
  const label = t(`areas.${area.key}`)
  return (
    <Menu position="right-start" trigger="click-hover" openDelay={80} closeDelay={120} width={220}>
      <Menu.Target>
        <UnstyledButton
          className={classes.icon}
          aria-label={label}
          data-area={area.key}
          data-active={isActive || undefined}
        >
          <Icon size={19} stroke={1.6} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{label}</Menu.Label>
        {area.entries.map(entry => (
          <Menu.Item key={entry.to} renderRoot={props => <EntryLink entry={entry} {...props} />} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function EntryLink({ entry, ...props }: { entry: OfferedEntry; className?: string | undefined }): ReactNode {
  const { t } = useTranslation()
  const isCurrent = useCurrentEntry() === entry.to
  const link = useRef<HTMLAnchorElement>(null)
  // Scrolls the current entry into view: in a long area it may be hidden.
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    <Link
      {...props}
      ref={link}
      to={entry.to}
      params={entry.params ?? {}}
      data-active={isCurrent || undefined}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {t(entry.title)}
    </Link>
  )
}

function useIsActive(area: OfferedArea): boolean {
  const { pathname } = useLocation()
  const current = useCurrentEntry()
  return area.entries.some(({ to }) =>
    current === null ? pathname.startsWith(`${baseOf(to)}/`) : current === to,
  )
}

/** The entry of the current screen or of a record below it (`/campaigns/edit/7` belongs to the campaigns). */
function useCurrentEntry(): OfferedEntry['to'] | null {
  const { pathname } = useLocation()
  const entries = useNavigation().flatMap(area => area.entries)
  const at = entries.filter(({ to }) => {
    if (pathname === to || pathname.startsWith(`${to}/`)) return true
    const base = baseOf(to)
    return base !== to && pathname.startsWith(`${base}/`) && pathname.slice(base.length + 1).includes('/')
  })
  const [nearest] = at.toSorted((one, other) => baseOf(other.to).length - baseOf(one.to).length)
  return nearest?.to ?? null
}

function baseOf(to: string): string {
  return to.replace(/\/(\$.*|archive)$/, '')
}
