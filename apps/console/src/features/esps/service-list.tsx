import type { Resource } from '@emma/contract/define-resource.ts'
import { type Esp, esps } from '@emma/contract/resources/esp-login.ts'
import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NotFoundScreen } from '../../shell/states/not-found-screen.tsx'
import { ResourceList, type ResourceListProps } from '../../shell/resource/resource-list.tsx'
import { textsOf } from '../../shell/resource/resource-rows.tsx'
import classes from './service-list.module.css'

/** Path segments of the three types of records. */
export type Kind = 'settings' | 'senders' | 'replacers'

export function pathOf(kind: Kind, esp: Esp): `/external-esps/${Kind}/${Esp}` {
  return `/external-esps/${kind}/${esp}`
}

/** The service in the URL; null if it does not exist. */
export function useService(): Esp | null {
  const { esp }: { esp?: string } = useParams({ strict: false })
  return esps.find(one => one === esp) ?? null
}

interface ServiceListProps<R extends Resource> extends Omit<ResourceListProps<R>, 'columns' | 'empty'> {
  columns: (esp: Esp) => ResourceListProps<R>['columns']
}

/** List of one service's records, with links to those of the other services. */
export function ServiceList<R extends Resource>(props: ServiceListProps<R> & { kind: Kind }): ReactNode {
  const { kind, columns, ...list } = props
  const { t } = useTranslation()
  const service = useService()
  if (service === null) return <NotFoundScreen />
  const textOf = (name: string) => `${textsOf(props.resource)}.${name}`
  return (
    <ResourceList
      {...list}
      columns={columns(service)}
      where={{ esp: service }}
      subtitle={t(textOf('subtitle'))}
      empty={{ title: t(textOf('empty_title'), { service: t(`esps.names.${service}`) }) }}
      above={<Services kind={kind} service={service} />}
    />
  )
}

function Services({ kind, service }: { kind: Kind; service: Esp }): ReactNode {
  const { t } = useTranslation()
  return (
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
  )
}
