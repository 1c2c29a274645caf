import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { brand } from '../layout/brand.ts'
import { ForbiddenScreen } from '../states/forbidden-screen.tsx'
import { mayOpen, missingRights } from './may-open.ts'
import { useSession } from './use-session.ts'
import type { ScreenInfo } from '../layout/screen-info.ts'

/** Sets the window title and renders the screen, or the forbidden screen without its permissions (R010). */
export function ScreenGate({ info, screen }: { info: ScreenInfo; screen: ReactNode }): ReactNode {
  const { t } = useTranslation()
  const session = useSession()
  const title = `${brand.shortName} · ${t(info.title)}`
  useEffect(() => {
    document.title = title
  }, [title])
  if (mayOpen(info, session)) return screen
  return <ForbiddenScreen missing={missingRights(info, session)} />
}
