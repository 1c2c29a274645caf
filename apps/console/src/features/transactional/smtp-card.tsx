import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { readSubmission } from '@emma/contract/actions/transactional.ts'
import type { transactionalcampaign } from '@emma/contract/resources/transactionalcampaign.ts'
import { SourceView } from '@emma/ui/code/code-editor.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { CopyButton } from '@emma/ui/layout/copy-button.tsx'
import { KeyValue } from '@emma/ui/layout/key-value.tsx'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'

/** Where programs submit emails over SMTP, with a command to try it. */
export function SmtpCard({ record }: { record: RecordOf<typeof transactionalcampaign> }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`transactional.smtp.${key}`)
  const isOn = record.smtp_mode !== 'off'
  const { data } = useQuery({
    queryKey: queryKeys.action(readSubmission, {}),
    queryFn: ({ signal }) => api.call(readSubmission, { signal }),
    enabled: isOn,
  })
  const user = record.slug ?? String(record.id)
  const command = data && exampleFor(record, { ...data, user })
  return (
    <Card
      title={text('title')}
      actions={command && <CopyButton value={command} label={t('transactional.example.copy')} />}
    >
      <Stack gap="sm">
        <Text size="sm">{text(isOn ? 'text' : 'off')}</Text>
        {data && (
          <KeyValue
            entries={[
              { label: text('host'), value: data.host },
              { label: text('port'), value: String(data.port) },
              { label: text('encryption'), value: text(data.tls ? 'starttls' : 'local') },
              { label: text('user'), value: user },
            ]}
          />
        )}
        {command && <SourceView label={text('example')} language="text" height={190} value={command} />}
      </Stack>
    </Card>
  )
}

function exampleFor(
  { smtp_mode: mode, fromadr }: RecordOf<typeof transactionalcampaign>,
  { host, port, tls, user }: { host: string; port: number; tls: boolean; user: string },
): string {
  const body = mode === 'template' ? '{"name": "Ada"}' : 'Hello'
  return [
    `curl --url smtp://${host}:${port} ${tls ? '--ssl-reqd ' : ''}--user '${user}:emtx_…' \\`,
    `  --mail-from ${fromadr} --mail-rcpt customer@example.com --upload-file - <<END`,
    `From: ${fromadr}`,
    'To: customer@example.com',
    'Subject: Your order',
    '',
    body,
    'END',
  ].join('\n')
}
