import { alert } from '@emma/contract/resources/alert.ts'
import { UrlTabs } from '@emma/ui/layout/url-tabs.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { Can } from '../../../shell/session/can.tsx'
import { AlertForm } from './alert-form.tsx'
import { AlertLog } from './alert-log.tsx'
import { type AlertRecord, AlertState } from './alert-state.tsx'
import { TestAlertButton } from './test-alert-button.tsx'

const stateOf = (record: AlertRecord) => <AlertState record={record} />
const actionsOf = (record: AlertRecord) => (
  <Can demand={{ all: ['Alerts:patch'] }}>
    <TestAlertButton id={record.id} />
  </Can>
)

/** Screen of an alert: condition, recipients and its messages. */
export default function AlertEdit(): ReactNode {
  return (
    <RecordPage resource={alert} subtitle={stateOf} actions={actionsOf}>
      {record => (record ? <AlertTabs record={record} /> : <AlertForm record={null} />)}
    </RecordPage>
  )
}

function AlertTabs({ record }: { record: AlertRecord }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.alert.tabs.${key}`)
  return (
    <UrlTabs
      label={t('screens.alert')}
      tabs={[
        { id: 'settings', label: text('settings'), content: () => <AlertForm record={record} /> },
        { id: 'log', label: text('log'), content: () => <AlertLog id={record.id} /> },
      ]}
    />
  )
}
