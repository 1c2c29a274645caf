import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { EmptyState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Text, Title } from '@mantine/core'
import { IconLinkOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../i18n/error-text.ts'
import { brand } from './brand.ts'
import { Logo } from './logo.tsx'
import classes from './shared-page.module.css'

interface SharedPageProps {
  /** Undefined while it loads. */
  shared: { name: string; client: string; expires_at: string | null } | undefined
  error: Error | null
  children: ReactNode
}

/** Page of a record that was opened by a share link: its name and client, or why the link leads nowhere. */
export function SharedPage({ shared, error, children }: SharedPageProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <main className={classes.page}>
      <header className={classes.head}>
        <Logo brand={brand} />
        {shared && (
          <div>
            <Title order={1} size="h2">
              {shared.name}
            </Title>
            <Text size="sm" c="dimmed">
              {shared.expires_at === null
                ? shared.client
                : t('share_links.head', { client: shared.client, until: format.date(shared.expires_at) })}
            </Text>
          </div>
        )}
      </header>
      {!shared && error && (
        <EmptyState
          icon={<IconLinkOff size={22} stroke={1.5} aria-hidden />}
          title={t('share_links.dead')}
          text={'status' in error && error.status === 404 ? t('share_links.dead_text') : errorText(error)}
        />
      )}
      {!shared && !error && <BlockSkeleton height={360} />}
      {shared && children}
    </main>
  )
}
