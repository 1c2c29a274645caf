import type { Fault } from '@emma/contract/faults.ts'
import './global.css'
import type { Brand } from '@emma/contract/brands.ts'
import { type MantineColorSchemeManager, MantineProvider } from '@mantine/core'
import { useNotifications } from '@mantine/notifications'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { snowId } from '../feedback/season-snow.tsx'
import { lazyComponent } from '../lazy-component.tsx'
import { type Keeper, UiSettingsProvider } from '../ui-settings.tsx'
import { type Language, type Messages, I18nProvider, useTranslate } from '../i18n.tsx'
import { createTheme, cssVariables, popupsId } from './create-theme.ts'

export interface UiProviderProps {
  brand: Brand
  language: Language
  /** IANA time zone of the client; the browser's by default. */
  timeZone?: string | undefined
  /** Suffix of keys in localStorage (columns, views, drafts): the ids of user and client. */
  storageScope?: string | undefined
  /** Text of any error; its own message by default. */
  errorText?: ((error: unknown) => string) | undefined
  /** Text of a field error; the server's message by default. */
  faultText?: ((fault: Fault) => string) | undefined
  /** Whether single-key shortcuts (j, k, x, /) are on; WCAG 2.1.4 requires a way to turn them off. On by default. */
  shortcuts?: boolean | undefined
  /** Stores columns and views of lists for the user; localStorage only by default. */
  keeper?: Keeper | undefined
  /** The kit's texts in the language. */
  messages: Partial<Messages>
  colorSchemeManager?: MantineColorSchemeManager | undefined
  children: ReactNode
}

/**
 * Provides theme, language and notifications of the kit. Mounted once. Modals have their own container (`ModalArea`),
 * so that pages without them need not load them.
 */
export function UiProvider(props: UiProviderProps): ReactNode {
  const { brand, language, timeZone, messages, colorSchemeManager, children, ...settings } = props
  const theme = useMemo(() => createTheme(brand), [brand])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      {...(colorSchemeManager ? { colorSchemeManager } : {})}
    >
      <I18nProvider language={language} {...(timeZone === undefined ? {} : { timeZone })} messages={messages}>
        <UiSettingsProvider {...settings}>
          {children}
          <Notifications />
          <Popups />
        </UiSettingsProvider>
      </I18nProvider>
    </MantineProvider>
  )
}

const NotificationArea = lazyComponent(
  async () => (await import('../feedback/notification-area.tsx')).NotificationArea,
)

/** Prefetched soon after the first load: while offline, the code for "You are offline" could not be loaded. */
function Notifications(): ReactNode {
  useEffect(() => {
    const timer = setTimeout(NotificationArea.prefetch, 200)
    return () => clearTimeout(timer)
  }, [])
  const [wasUsed, setUsed] = useState(false)
  const { notifications } = useNotifications()
  if (!wasUsed && notifications.length > 0) setUsed(true)
  return wasUsed && <NotificationArea />
}

function Popups(): ReactNode {
  const t = useTranslate()
  return (
    <section id={popupsId} aria-label={t('popups')}>
      <div id={snowId} />
    </section>
  )
}
