import { testMessage } from '@emma/contract/actions/content.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { Button, List, TagsInput, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/api.ts'
import { showError } from '../../shell/error-text.ts'
import { useClientId, usePermission } from '../../shell/use-session.ts'

/** Sends the saved template to a few addresses at once, and says what their servers answered. */
export function TestSend({ messageId, isDirty }: { messageId: number; isDirty: boolean }): ReactNode {
  const { t } = useTranslation()
  const client = useClientId()
  const mayTest = usePermission({ all: ['EmmaTestCampaign:post'] })
  const [emails, setEmails] = useState<string[]>([])
  const send = useMutation({
    mutationFn: () =>
      api.call(testMessage, { params: { client_id: client }, body: { message_id: messageId, emails } }),
    onSuccess: ({ results }) => notify.success(t('content.test.sent', { count: results.length })),
    onError: showError,
  })
  if (!mayTest) return null
  return (
    <Card title={t('content.test.title')}>
      <TagsInput
        label={t('content.test.addresses')}
        description={t('content.test.hint')}
        placeholder="ok-me@gmail.test"
        value={emails}
        onChange={setEmails}
        splitChars={[',', ' ', ';']}
        acceptValueOnBlur
      />
      <Button
        mt="sm"
        variant="default"
        leftSection={<IconSend size={16} />}
        disabled={emails.length === 0 || isDirty}
        loading={send.isPending}
        onClick={() => send.mutate()}
      >
        {t('content.test.send')}
      </Button>
      {isDirty && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('content.test.save_first')}
        </Text>
      )}
      {send.data && (
        <List size="sm" mt="sm">
          {send.data.results.map(result => (
            <List.Item key={result.email}>
              {result.email}: {result.outcome} {result.reply}
            </List.Item>
          ))}
        </List>
      )}
    </Card>
  )
}
