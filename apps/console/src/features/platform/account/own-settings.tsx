import { UrlTabs } from '@emma/ui/layout/url-tabs.tsx'
import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../../shell/layout/page.tsx'
import { useSession } from '../../../shell/session/use-session.ts'
import { ApiTokens } from './api-tokens.tsx'
import { Appearance } from './own-appearance.tsx'
import { NewPassword } from './own-password.tsx'
import { OwnProfile } from './own-profile.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

/** The user's account: profile, appearance, security and API tokens (R142). */
export default function OwnSettingsScreen(): ReactNode {
  const { t } = useTranslation()
  const { claims } = useSession()
  if (!claims) return null
  const { id } = claims.sub
  const column = (children: ReactNode) => (
    <Stack maw={760} gap="lg">
      {children}
    </Stack>
  )
  const person = {
    id: 'person',
    label: t('platform.own.tabs.person'),
    content: () =>
      column(
        <>
          <OwnProfile userId={id} />
          <Appearance />
        </>,
      ),
  }
  const security = {
    id: 'security',
    label: t('platform.own.tabs.security'),
    content: () =>
      column(
        <>
          <NewPassword userId={id} />
          <SecondFactor userId={id} />
          <Sessions userId={id} />
        </>,
      ),
  }
  const tokens = {
    id: 'tokens',
    label: t('platform.own.tabs.tokens'),
    content: () => column(<ApiTokens userId={id} isOwn />),
  }
  return (
    <Page title={t('screens.own_settings')} subtitle={t('platform.own.intro')}>
      <UrlTabs
        label={t('screens.own_settings')}
        tabs={claims.second_factor_missing ? [security] : [person, security, tokens]}
      />
    </Page>
  )
}
