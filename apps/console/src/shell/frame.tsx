import { ModalArea } from '@emma/ui/feedback/modal-area.tsx'
import { Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brand } from './brand.ts'
import { CommandPalette } from './command-palette.tsx'
import classes from './frame.module.css'
import { Logo } from './logo.tsx'
import { NavigationAreas, Sidebar } from './sidebar.tsx'
import { SocketProvider } from './socket-provider.tsx'
import { TopBar } from './top-bar.tsx'
import { ViewAsBanner } from './view-as-banner.tsx'

/** The main shell around every screen: navigation at the left, tools at the top, the screen. */
export default function Frame(): ReactNode {
  const { t } = useTranslation()
  const [isDrawerOpen, drawer] = useDisclosure(false)
  const { pathname } = useLocation()
  const [drawerPath, setDrawerPath] = useState(pathname)
  if (drawerPath !== pathname) {
    // Whoever has gone somewhere is done with the navigation.
    setDrawerPath(pathname)
    drawer.close()
  }
  return (
    <SocketProvider>
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
          <main id="content" tabIndex={-1} className={classes.main}>
            <Outlet />
          </main>
        </div>
      </div>
      <Drawer
        opened={isDrawerOpen}
        onClose={drawer.close}
        position="left"
        size={280}
        title={<Logo brand={brand} />}
        closeButtonProps={{ 'aria-label': t('shell.navigation_close') }}
      >
        <NavigationAreas />
      </Drawer>
      <CommandPalette />
      <ModalArea />
    </SocketProvider>
  )
}
