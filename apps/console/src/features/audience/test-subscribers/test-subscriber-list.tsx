import type { RecordOf } from '@emma/client/emma-client.ts'
import { testaddress } from '@emma/contract/resources/testaddress.ts'
import { UrlTabs } from '@emma/ui/layout/url-tabs.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { ResourceRows } from '../../../shell/resource/resource-rows.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { addressTypeOptions } from './address-type-options.ts'
import { TestGroups } from './test-groups.tsx'

type TestAddress = RecordOf<typeof testaddress>

const path = '/subscribers/testsubscribers'
/** Lists of test subscribers (tests, seeds, proof copies) and of test groups. */
export default function TestSubscriberList(): ReactNode {
  const { t } = useTranslation()
  return (
    <Page
      title={t('screens.test_subscribers')}
      subtitle={t('audience.testaddress.list_text')}
      actions={<NewTestSubscriber />}
    >
      <UrlTabs
        label={t('screens.test_subscribers')}
        tabs={[
          { id: 'addresses', label: t('audience.testaddress.addresses'), content: () => <Addresses /> },
          { id: 'groups', label: t('audience.testaddress.groups'), content: () => <TestGroups /> },
        ]}
      />
    </Page>
  )
}

function NewTestSubscriber(): ReactNode {
  const { t } = useTranslation()
  return <NewButton resource={testaddress} href={`${path}/edit/new`} label={t('audience.testaddress.new')} />
}

function Addresses(): ReactNode {
  const { t, i18n } = useTranslation()
  const nameOf = (row: TestAddress) => [row.firstname, row.lastname].filter(Boolean).join(' ')
  return (
    <ResourceRows
      resource={testaddress}
      columns={[
        'email',
        { id: 'name', cell: nameOf, text: nameOf },
        { id: 'addr_type', width: 200 },
        'active',
      ]}
      filters={[
        {
          name: 'type',
          options: addressTypeOptions(
            value => t(`audience.testaddress.types.${value}`),
            i18n.resolvedLanguage,
          ),
        },
        'onlyactive',
      ]}
      empty={{ action: <NewTestSubscriber /> }}
    />
  )
}
