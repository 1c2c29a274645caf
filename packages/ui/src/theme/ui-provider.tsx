import './global.css'
import type { Brand } from '@emma/contract/brands.ts'
import { type MantineColorSchemeManager, MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { type ReactNode, useMemo } from 'react'
import { NotificationArea } from '../feedback/notification-area.tsx'
import { UiSettingsProvider } from '../ui-settings.tsx'
import { type Language, WordsProvider, useSay } from '../words.tsx'
import { createTheme, cssVariables } from './create-theme.ts'

export interface UiProviderProps {
  brand: Brand
  language: Language
  /** IANA time zone of the client; the browser's own when left out. */
  timeZone?: string | undefined
  /** Separates what the kit keeps in localStorage (columns, views, drafts): the user's and client's ids. */
  storageScope?: string | undefined
  /** Words for an error of any kind; its own message when left out. */
  errorText?: ((error: unknown) => string) | undefined
  /** Single-key shortcuts (j, k, x, /): can be switched off, as WCAG 2.1.4 asks. On by default. */
  shortcuts?: boolean | undefined
  colorSchemeManager?: MantineColorSchemeManager | undefined
  children: ReactNode
}

/** Everything the kit needs around it: theme, language, modals, notifications. Mounted once. */
export function UiProvider(props: UiProviderProps): ReactNode {
  const { brand, language, timeZone, storageScope, errorText, shortcuts, colorSchemeManager, children } =
    props
  const theme = useMemo(() => createTheme(brand), [brand])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      {...(colorSchemeManager ? { colorSchemeManager } : {})}
    >
      <WordsProvider language={language} {...(timeZone === undefined ? {} : { timeZone })}>
        <UiSettingsProvider storageScope={storageScope} errorText={errorText} shortcuts={shortcuts}>
          <Modals>{children}</Modals>
          <NotificationArea />
        </UiSettingsProvider>
      </WordsProvider>
    </MantineProvider>
  )
}

function Modals({ children }: { children: ReactNode }): ReactNode {
  const say = useSay()
  return (
    <ModalsProvider labels={{ confirm: say('action.ok'), cancel: say('action.cancel') }}>
      {children}
    </ModalsProvider>
  )
}
