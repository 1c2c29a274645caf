import { webhook } from '@emma/contract/resources/webhook.ts'
import { UrlTabs } from '@emma/ui/layout/url-tabs.tsx'
import { Alert, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Can } from '../../shell/session/can.tsx'
import { RecordPage } from '../../shell/layout/record-page.tsx'
import { TestButton } from './test-button.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookLog } from './webhook-log.tsx'
import { WebhookSecret } from './webhook-secret.tsx'
import { type Webhook, WebhookState } from './webhook-state.tsx'

const titleOf = (record: Webhook) => URL.parse(record.url)?.host ?? record.url
const stateOf = (record: Webhook) => <WebhookState record={record} />
const actionsOf = (record: Webhook) => (
  <Can demand={{ all: ['Webhook:patch'] }}>
    <TestButton id={record.webhook_id} />
  </Can>
)

/** Screen of a webhook: settings, signing secret and call log. */
export default function WebhookEdit(): ReactNode {
  const { t } = useTranslation()
  return (
    <RecordPage
      resource={webhook}
      title={record => (record ? titleOf(record) : t('webhooks.new'))}
      subtitle={stateOf}
      actions={actionsOf}
    >
      {record => (record ? <WebhookTabs record={record} /> : <WebhookForm record={null} />)}
    </RecordPage>
  )
}

function WebhookTabs({ record }: { record: Webhook }): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <Trouble record={record} />
      <UrlTabs
        label={t('screens.webhook')}
        tabs={[
          {
            id: 'settings',
            label: t('webhooks.tabs.settings'),
            content: () => (
              <Stack gap="xl">
                <WebhookSecret record={record} />
                <WebhookForm record={record} />
              </Stack>
            ),
          },
          {
            id: 'log',
            label: t('webhooks.tabs.log'),
            content: () => <WebhookLog record={record} />,
          },
        ]}
      />
    </>
  )
}

/** Alert about a disabled or failing webhook, with actions. */
function Trouble({ record }: { record: Webhook }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const isDisabled = !record.active && record.disabled_reason !== null
  if (!isDisabled && (!record.active || record.failing_since === null)) return null
  const text = isDisabled
    ? t(`webhooks.trouble.${record.disabled_reason ?? 'failing'}`)
    : t('webhooks.trouble.since', { time: format.dateTime(record.failing_since ?? '') })
  return (
    <Alert
      color={isDisabled ? 'red' : 'yellow'}
      icon={<IconAlertTriangle aria-hidden />}
      mb="md"
      title={t(`webhooks.states.${isDisabled ? 'disabled' : 'failing'}`)}
    >
      {text}
    </Alert>
  )
}
