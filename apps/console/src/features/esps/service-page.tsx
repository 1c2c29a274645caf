import { type Esp, esps } from '@emma/contract/resources/esp-login.ts'
import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NotFoundScreen } from '../../shell/states/not-found-screen.tsx'
import { Page } from '../../shell/layout/page.tsx'
import classes from './service-page.module.css'

/** Where the three kinds of records of services are. */
export type Kind = 'settings' | 'senders' | 'replacers'

export function pathOf(kind: Kind, esp: Esp): `/external-esps/${Kind}/${Esp}` {
  return `/external-esps/${kind}/${esp}`
}

/** The service in the address; null when there is no such service. */
export function useService(): Esp | null {
  const { esp }: { esp?: string } = useParams({ strict: false })
  return esps.find(one => one === esp) ?? null
}

interface ServicePageProps {
  kind: Kind
  title: string
  subtitle: string
  actions: (esp: Esp) => ReactNode
  children: (esp: Esp) => ReactNode
}

/** A list of one service's records, with ways to those of the other services. */
export function ServicePage({ kind, title, subtitle, actions, children }: ServicePageProps): ReactNode {
  const { t } = useTranslation()
  const service = useService()
  if (service === null) return <NotFoundScreen />
  return (
    <Page title={title} subtitle={subtitle} actions={actions(service)}>
      <nav className={classes.services} aria-label={t('esps.services')}>
        {esps.map(esp => (
          <Button
            key={esp}
            component={Link}
            to={pathOf(kind, esp)}
            size="compact-md"
            variant={esp === service ? 'light' : 'subtle'}
            color={esp === service ? undefined : 'gray'}
            aria-current={esp === service ? 'page' : undefined}
          >
            {t(`esps.names.${esp}`)}
          </Button>
        ))}
      </nav>
      {/* Order, search and page belong to one service. */}
      <div key={service}>{children(service)}</div>
    </Page>
  )
}
