import type { RecordOf } from '@emma/client/emma-client.ts'
import { recurring } from '@emma/contract/resources/recurring.ts'
import { UrlTabs } from '@emma/ui/layout/url-tabs.tsx'
import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordPage } from '../../shell/layout/record-page.tsx'
import { RecurringApproval } from './recurring-approval.tsx'
import { RecurringForm } from './recurring-form.tsx'
import { RunButton } from './run-button.tsx'
import { RunLog } from './run-log.tsx'

/** Screen of a recurring campaign: settings and runs (R061). */
export default function RecurringEdit(): ReactNode {
  return (
    <RecordPage resource={recurring} actions={record => <RunButton record={record} />}>
      {record => (record ? <Tabs record={record} /> : <RecurringForm record={null} />)}
    </RecordPage>
  )
}

function Tabs({ record }: { record: RecordOf<typeof recurring> }): ReactNode {
  const { t } = useTranslation()
  return (
    <UrlTabs
      label={t('screens.recurring_campaign')}
      tabs={[
        {
          id: 'settings',
          label: t('recurring.tabs.settings'),
          content: () => (
            <Stack>
              <RecurringApproval record={record} />
              <RecurringForm record={record} />
            </Stack>
          ),
        },
        { id: 'runs', label: t('recurring.tabs.runs'), content: () => <RunLog record={record} /> },
      ]}
    />
  )
}
