import type { RecordOf } from '@emma/client/emma-client.ts'
import { transactionalcampaign } from '@emma/contract/resources/transactionalcampaign.ts'
import { UrlTabs } from '@emma/ui/layout/url-tabs.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordPage } from '../../shell/layout/record-page.tsx'
import { usePermission } from '../../shell/session/use-session.ts'
import { ApiTab } from './api-tab.tsx'
import { DayReport } from './day-report.tsx'
import { MailLog } from './mail-log.tsx'
import { TransactionalForm } from './transactional-form.tsx'

/** Screen of a transactional email: settings, API, log and report (R134). */
export default function TransactionalEdit(): ReactNode {
  return (
    <RecordPage resource={transactionalcampaign}>
      {record => (record ? <Tabs record={record} /> : <TransactionalForm record={null} />)}
    </RecordPage>
  )
}

function Tabs({ record }: { record: RecordOf<typeof transactionalcampaign> }): ReactNode {
  const { t } = useTranslation()
  const seesMembers = usePermission({ all: ['EmmaMember:get'] })
  const seesReport = usePermission({ all: ['TransactionalReport:get'] })
  return (
    <UrlTabs
      label={t('screens.transactional')}
      tabs={[
        {
          id: 'settings',
          label: t('transactional.tabs.settings'),
          content: () => <TransactionalForm record={record} />,
        },
        { id: 'api', label: t('transactional.tabs.api'), content: () => <ApiTab record={record} /> },
        ...(seesMembers
          ? [{ id: 'log', label: t('transactional.tabs.log'), content: () => <MailLog record={record} /> }]
          : []),
        ...(seesReport
          ? [
              {
                id: 'report',
                label: t('transactional.tabs.report'),
                content: () => <DayReport record={record} />,
              },
            ]
          : []),
      ]}
    />
  )
}
