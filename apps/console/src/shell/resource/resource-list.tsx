import type { Resource } from '@emma/contract/define-resource.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NewButton } from '../layout/new-button.tsx'
import { Page } from '../layout/page.tsx'
import { ResourceRows, type ResourceRowsProps, textsOf } from './resource-rows.tsx'
import { useScreen } from './use-screen.ts'

export interface ResourceListProps<R extends Resource> extends ResourceRowsProps<R> {
  subtitle?: ReactNode
  /** Buttons beside "New". */
  buttons?: ReactNode
  /** What "New" does where a new record has no page of its own. */
  onNew?: () => void
  /** Between the heading and the list. */
  above?: ReactNode
}

/**
 * The screen of a resource's records. Address and title are the route's; texts, order, filters and kinds of columns follow
 * from the contract; the screen says its columns and what is different.
 *
 * `<ResourceList resource={mailclass} columns={['name', 'active']} filters={['onlyactive']} />`
 */
export function ResourceList<R extends Resource>(props: ResourceListProps<R>): ReactNode {
  const { subtitle, buttons, onNew, above, ...rows } = props
  const { t } = useTranslation()
  const { path, title } = useScreen()
  const { resource, texts = textsOf(resource), label = title } = rows
  const create = (
    <NewButton
      resource={resource}
      label={t(`${texts}.new`)}
      {...(onNew ? { onClick: onNew } : { href: `${path}/edit/new` })}
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
      {/* Order, search and page belong to the records of one kind. */}
      <ResourceRows key={JSON.stringify(rows.where)} {...rows} empty={{ action: create, ...rows.empty }} />
    </Page>
  )
}
