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
  /** IANA time zone of the client; the browser's own when left out. */
  timeZone?: string | undefined
  /** Separates what the kit keeps in localStorage (columns, views, drafts): the user's and client's ids. */
  storageScope?: string | undefined
  /** Text of an error of any kind; its own message when left out. */
  errorText?: ((error: unknown) => string) | undefined
  /** Translates what the server says is wrong with a field; as it came when left out. */
  faultText?: ((message: string) => string) | undefined
  /** Single-key shortcuts (j, k, x, /): can be switched off, as WCAG 2.1.4 asks. On by default. */
  shortcuts?: boolean | undefined
  /** Keeps columns and views of lists for the person; localStorage alone when left out. */
  keeper?: Keeper | undefined
  /** The kit's texts in the language. */
  messages: Partial<Messages>
  colorSchemeManager?: MantineColorSchemeManager | undefined
  children: ReactNode
}

/**
 * What the kit needs around it: theme, language, notifications. Mounted once. Modals have an area of their own
 * (`ModalArea`), so that a page without them need not load them.
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

/** Not part of the first load, but fetched soon after: "You are offline" cannot be fetched any more. */
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
