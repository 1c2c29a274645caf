import { UiProvider } from '@emma/ui/theme/ui-provider.tsx'
import { LoadingBar } from '@emma/ui/feedback/loading-bar.tsx'
import { Portal } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { useTranslation } from 'react-i18next'
import { brand } from './shell/layout/brand.ts'
import { CrashScreen } from './shell/states/crash-screen.tsx'
import { CrashTrigger } from './shell/states/crash-trigger.tsx'
import { errorText } from './shell/i18n/error-text.ts'
import { textOfFault } from './shell/i18n/text-of-fault.ts'
import { asLang } from './shell/i18n/i18n.ts'
import { preferenceKeeper } from './shell/resource/preference-keeper.ts'
import { loading } from './shell/states/loading.ts'
import { reportError } from './shell/states/report-error.ts'
import { ThemeColor } from './shell/layout/theme-color.tsx'
import { useKitMessages } from './shell/i18n/use-kit-messages.ts'
import { useSession } from './shell/session/use-session.ts'

/** Wraps the login or the console in theme, translations, loading bar and error boundary. */
export function App({ children }: { children: ReactNode }): ReactNode {
  const { i18n } = useTranslation()
  const { claims, client, custom } = useSession()
  return (
    <UiProvider
      brand={brand}
      language={asLang(i18n.resolvedLanguage)}
      timeZone={client?.timezone}
      storageScope={`${claims?.sub.id ?? 0}.${client?.client_id ?? 0}`}
      errorText={errorText}
      faultText={textOfFault}
      shortcuts={custom['shortcuts'] !== false}
      keeper={preferenceKeeper}
      messages={useKitMessages()}
    >
      <ThemeColor />
      <Portal>
        <LoadingBar counter={loading} />
      </Portal>
      <ErrorBoundary FallbackComponent={CrashScreen} onError={error => void reportError(error)}>
        {children}
        <CrashTrigger />
      </ErrorBoundary>
    </UiProvider>
  )
}
