import { type ReactNode, createContext, use, useMemo } from 'react'

/** What the console tells the kit about its user. */
export interface UiSettings {
  storageScope: string
  errorText: (error: unknown) => string
  shortcuts: boolean
}

const Context = createContext<UiSettings>({ storageScope: 'anyone', errorText: messageOf, shortcuts: true })

export interface UiSettingsProviderProps {
  storageScope?: string | undefined
  errorText?: ((error: unknown) => string) | undefined
  shortcuts?: boolean | undefined
  children: ReactNode
}

export function UiSettingsProvider(props: UiSettingsProviderProps): ReactNode {
  const { storageScope = 'anyone', errorText = messageOf, shortcuts = true, children } = props
  const settings = useMemo(
    () => ({ storageScope, errorText, shortcuts }),
    [storageScope, errorText, shortcuts],
  )
  return <Context value={settings}>{children}</Context>
}

export function useUiSettings(): UiSettings {
  return use(Context)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
