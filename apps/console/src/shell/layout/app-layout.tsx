import { ModalArea } from '@emma/ui/feedback/modal-area.tsx'
import { lazyComponent } from '@emma/ui/lazy-component.tsx'
import { CloseButton, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useLocation } from '@tanstack/react-router'
import { Fragment, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { shellTextDependencies } from '../../texts/text-dependencies.ts'
import { fetchTexts } from '../../texts/feature-texts.ts'
import { brand } from './brand.ts'
import classes from './app-layout.module.css'
import { Logo } from './logo.tsx'
import { QueryProvider } from '../resource/query-provider.tsx'
import { NavigationAreas, Sidebar } from './sidebar.tsx'
import { SocketProvider } from '../notifications/socket-provider.tsx'
import { useSession } from '../session/use-session.ts'
import { TextNews } from '../i18n/translation-updates.tsx'
import { TopBar } from './top-bar.tsx'
import { useShortcuts } from './use-shortcuts.ts'
import { ViewAsBanner } from '../session/view-as-banner.tsx'

// Loaded after the first screen.
const CommandPalette = lazyComponent(
  async () => (await import('../palette/command-palette.tsx')).CommandPalette,
)
const KeyboardMap = lazyComponent(async () => (await import('./keyboard-map.tsx')).KeyboardMap)
const GuidanceArea = lazyComponent(async () => {
  const [area] = await Promise.all([
    import('../guidance/guidance-area.tsx'),
    fetchTexts(shellTextDependencies),
  ])
  return area.GuidanceArea
})

/** The main shell: sidebar, top bar and the current screen. */
export default function Frame({ children = <Outlet /> }: { children?: ReactNode }): ReactNode {
  const { t } = useTranslation()
  const { claims, client } = useSession()
  const [isDrawerOpen, drawer] = useDisclosure(false)
  const { pathname } = useLocation()
  const [drawerPath, setDrawerPath] = useState(pathname)
  if (drawerPath !== pathname) {
    // Closes the navigation drawer after a navigation.
    setDrawerPath(pathname)
    drawer.close()
  }
  // After a logout: unmounts the screen at once, so that it sends no requests without a token.
  if (claims === null) return null
  return (
    <QueryProvider>
      <SocketProvider>
        <TextNews />
        <a className={classes.skip} href="#content">
          {t('shell.skip')}
        </a>
        <div className={classes.frame}>
          <div className={classes.side}>
            <Sidebar />
          </div>
          <div className={classes.body}>
            <TopBar onOpenNavigation={drawer.open} />
            <ViewAsBanner />
            <GuidanceArea />
            <main id="content" tabIndex={-1} className={classes.main}>
              <Fragment key={`${client?.client_id} ${claims.view_role}`}>{children}</Fragment>
            </main>
          </div>
        </div>
        <Drawer
          opened={isDrawerOpen}
          onClose={drawer.close}
          position="left"
          size={280}
          withCloseButton={false}
          attributes={{ content: { 'aria-label': t('shell.navigation') } }}
        >
          <div className={classes.drawerHead}>
            <Logo brand={brand} />
            <CloseButton aria-label={t('shell.navigation_close')} onClick={drawer.close} />
          </div>
          <nav aria-label={t('shell.navigation')}>
            <NavigationAreas />
          </nav>
        </Drawer>
        <CommandPalette />
        <KeyboardMap />
        <Shortcuts />
        <ModalArea />
      </SocketProvider>
    </QueryProvider>
  )
}

/** A component of its own within the providers: a key press must not render the whole shell. */
function Shortcuts(): null {
  useShortcuts()
  return null
}
