import { addInternalEntries } from '@emma/contract/actions/internal-blacklist.ts'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { Page } from '../../../shell/layout/page.tsx'
import { useScreenTitle } from '../../../shell/layout/use-screen-title.ts'
import { EntriesForm } from './entries-form.tsx'

const path = '/system/blacklistsinternal'

/** Form that suppresses addresses and domains for all clients (R105). */
export default function InternalAdd(): ReactNode {
  const { t } = useTranslation()
  const title = useScreenTitle()
  const navigate = useNavigate()
  return (
    <Page back={path} title={title} subtitle={t('audience.internal.subtitle')}>
      <EntriesForm
        label={t('audience.internal.values')}
        description={t('audience.internal.values_text')}
        placeholder={'jane@example.com\nexample.org'}
        add={body => api.call(addInternalEntries, { body })}
        onAdded={() => void navigate({ to: path })}
      />
    </Page>
  )
}
