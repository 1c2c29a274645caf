import { membertable } from '@emma/contract/resources/membertable.ts'
import { EmptyState } from '@emma/ui/feedback/states.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NewButton } from '../../../shell/layout/new-button.tsx'

/** Empty state of member screens if the client has no datasource. */
export function NoDatasource(): ReactNode {
  const { t } = useTranslation()
  return (
    <EmptyState
      title={t('audience.membertable.empty_title')}
      text={t('audience.membertable.empty_text')}
      action={
        <NewButton
          resource={membertable}
          href="/settings/datasources/edit/new"
          label={t('audience.membertable.new')}
        />
      }
    />
  )
}
