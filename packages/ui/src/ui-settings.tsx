import type { Fault } from '@emma/contract/faults.ts'
import { type ReactNode, createContext, use, useMemo } from 'react'

/** Stores the user's preferences beyond this device. `read` returns `undefined` for unknown keys. */
export interface Keeper {
  read: (key: string) => unknown
  write: (key: string, value: unknown) => void
}

/** Settings of the user, passed from the console to the kit. */
export interface UiSettings {
  storageScope: string
  errorText: (error: unknown) => string
  faultText: (fault: Fault) => string
  shortcuts: boolean
  keeper?: Keeper | undefined
}

const asItCame = ({ message }: Fault) => message

const Context = createContext<UiSettings>({
  storageScope: 'anyone',
  errorText: messageOf,
  faultText: asItCame,
  shortcuts: true,
})

export interface UiSettingsProviderProps {
  storageScope?: string | undefined
  errorText?: ((error: unknown) => string) | undefined
  faultText?: ((fault: Fault) => string) | undefined
  shortcuts?: boolean | undefined
  keeper?: Keeper | undefined
  children: ReactNode
}

export function UiSettingsProvider(props: UiSettingsProviderProps): ReactNode {
  const { storageScope = 'anyone', errorText = messageOf, faultText = asItCame } = props
  const { shortcuts = true, keeper, children } = props
  const settings = useMemo(
    () => ({ storageScope, errorText, faultText, shortcuts, keeper }),
    [storageScope, errorText, faultText, shortcuts, keeper],
  )
  return <Context value={settings}>{children}</Context>
}

export function useUiSettings(): UiSettings {
  return use(Context)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
