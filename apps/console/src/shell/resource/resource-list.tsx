import type { Resource } from '@emma/contract/define-resource.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NewButton } from '../layout/new-button.tsx'
import { Page } from '../layout/page.tsx'
import { ResourceRows, type ResourceRowsProps, textsOf } from './resource-rows.tsx'
import { formPath, useScreen } from './use-screen.ts'

export interface ResourceListProps<R extends Resource> extends ResourceRowsProps<R> {
  subtitle?: ReactNode
  /** Buttons beside "New". */
  buttons?: ReactNode
  /** Called by "New" if new records have no page of their own. */
  onNew?: () => void
  /** Address of the form of a new record, if it needs more than the path of the list. */
  newHref?: string
  /** Content between the heading and the list. */
  above?: ReactNode
}

/**
 * List screen of a resource. Path and title come from the route; texts, order, filters and column types from the
 * contract; the screen passes its columns and what differs.
 *
 * `<ResourceList resource={mailclass} columns={['name', 'active']} filters={['onlyactive']} />`
 */
export function ResourceList<R extends Resource>(props: ResourceListProps<R>): ReactNode {
  const { subtitle, buttons, onNew, newHref, above, ...rows } = props
  const { t } = useTranslation()
  const { path, title } = useScreen()
  const { resource, texts = textsOf(resource), label = title } = rows
  const create = (
    <NewButton
      resource={resource}
      label={t(`${texts}.new`)}
      {...(onNew ? { onClick: onNew } : { href: newHref ?? formPath(path, 'new') })}
    />
  )
  return (
    <Page
      title={label}
      subtitle={subtitle}
      actions={
        <>
          {buttons}
          {create}
        </>
      }
    >
      {above}
      {/* Remounts when `where` changes: order, search and page belong to one set of records. */}
      <ResourceRows key={JSON.stringify(rows.where)} {...rows} empty={{ action: create, ...rows.empty }} />
    </Page>
  )
}
