import type { RecordOf } from '@emma/client/emma-client.ts'
import { renderTransactional, sendTransactional } from '@emma/contract/actions/transactional.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { transactionalcampaign } from '@emma/contract/resources/transactionalcampaign.ts'
import { exampleData } from '@emma/contract/transactional/data-fields.ts'
import { CodeEditor } from '@emma/ui/code/code-editor.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { MailPreview } from '@emma/ui/mail-preview/mail-preview.tsx'
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconEye, IconSend } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../shell/i18n/error-text.ts'
import { api } from '../../shell/session/api.ts'
import { usePermission } from '../../shell/session/use-session.ts'
import classes from './transactional.module.css'

/** Console to try the email with data: its preview, and one email to an address. */
export function TestConsole({ record }: { record: RecordOf<typeof transactionalcampaign> }): ReactNode {
  const { t } = useTranslation()
  const id = useId()
  const maySend = usePermission({ all: ['EmmaTransactional:post'] })
  const [email, setEmail] = useState('')
  const [data, setData] = useState(() => JSON.stringify(exampleData(record.data_fields), null, 2))
  const [rendered, setRendered] = useState<Answer<typeof renderTransactional> | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState<'render' | 'send' | null>(null)

  async function run(what: 'render' | 'send'): Promise<void> {
    setError(null)
    const parsed = parseObject(data)
    if (parsed === null) return setError(t('transactional.console.not_json'))
    setBusy(what)
    const params = { id: record.id }
    try {
      if (what === 'render')
        setRendered(
          await api.call(renderTransactional, { params, body: { ...(email && { email }), data: parsed } }),
        )
      else {
        await api.call(sendTransactional, { params, body: { email, data: parsed } })
        notify.success(t('transactional.console.sent', { email }))
      }
    } catch (fault) {
      setError(errorText(fault))
    }
    setBusy(null)
  }

  if (!maySend) return null
  return (
    <Card title={t('transactional.console.title')}>
      <div className={classes.columns}>
        <Stack gap="sm">
          <Text size="sm">{t('transactional.console.text')}</Text>
          <div>
            <Text component="label" htmlFor={`${id}-data`} size="sm" fw={500}>
              {t('transactional.console.data')}
            </Text>
            <CodeEditor
              label={t('transactional.console.data')}
              language="json"
              height={220}
              value={data}
              onChange={setData}
            />
          </div>
          <TextInput
            type="email"
            label={t('transactional.console.email')}
            description={t('transactional.console.email_text')}
            value={email}
            onChange={event => setEmail(event.currentTarget.value)}
          />
          {error !== null && (
            <Alert color="red" role="alert">
              {error}
            </Alert>
          )}
          <Group gap="sm">
            <Button
              variant="default"
              leftSection={<IconEye size={16} aria-hidden />}
              loading={busy === 'render'}
              onClick={() => void run('render')}
            >
              {t('transactional.console.render')}
            </Button>
            <Button
              leftSection={<IconSend size={16} aria-hidden />}
              loading={busy === 'send'}
              disabled={email === ''}
              onClick={() => void run('send')}
            >
              {t('transactional.console.send')}
            </Button>
          </Group>
        </Stack>
        {rendered ? (
          <MailPreview {...rendered} height={420} allowsRemote />
        ) : (
          <Text size="sm" c="dimmed">
            {t('transactional.console.no_preview')}
          </Text>
        )}
      </div>
    </Card>
  )
}

function parseObject(text: string): Record<string, never> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, never>)
      : null
  } catch {
    return null
  }
}
