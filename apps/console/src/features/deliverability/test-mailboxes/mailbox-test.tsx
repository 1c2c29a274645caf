import { testImapLogin } from '@emma/contract/actions/placement.ts'
import { fieldErrorsOf } from '@emma/ui/form/server-error.ts'
import { KeyValue } from '@emma/ui/layout/key-value.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Alert, Button, Stack } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'
import { api } from '../../../shell/session/api.ts'
import { useClientId, usePermission } from '../../../shell/session/use-session.ts'

interface MailboxTestProps {
  /** Saved mailbox, whose password is used unless another one was typed. */
  loginId: number | null
  settingId: number | null
  username: string
  password: string
}

/** Button that logs in to a mailbox, with the folders that were found. */
export function MailboxTest({ loginId, settingId, username, password }: MailboxTestProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const client_id = useClientId()
  const mayTest = usePermission({ all: ['EmmaImapLogin:post'] })
  const text = (key: string, values: Record<string, unknown> = {}) =>
    t(`deliverability.mailbox_test.${key}`, values)
  const test = useMutation({
    mutationFn: () =>
      api.call(testImapLogin, {
        params: { client_id },
        body: {
          login_id: loginId,
          setting_id: settingId ?? 0,
          username: username.trim(),
          password: password === '' ? null : password,
        },
      }),
  })
  const result = test.data
  return (
    <Stack gap="sm" aria-live="polite">
      <Button
        w="fit-content"
        variant="default"
        leftSection={<IconPlugConnected size={16} />}
        disabled={settingId === null || username.trim() === '' || !mayTest}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        {text('run')}
      </Button>
      {test.error && (
        <Alert color="red" variant="light">
          {fieldErrorsOf(test.error).map(textOfFault).join(' ') || errorText(test.error)}
        </Alert>
      )}
      {result?.error && (
        <Alert color="red" variant="light" title={text('failed')}>
          {textOfFault(result.error)}
        </Alert>
      )}
      {result && !result.error && (
        <Alert
          color="green"
          variant="light"
          title={text('works', { milliseconds: format.number(result.milliseconds) })}
        >
          <KeyValue
            entries={[
              { label: text('inbox'), value: result.found.inbox ?? '–' },
              { label: text('spam'), value: result.found.spam ?? text('no_spam') },
              { label: text('promotions'), value: result.found.promotions ?? '–' },
              { label: text('folders'), value: result.folders.join(', ') },
            ]}
          />
        </Alert>
      )}
    </Stack>
  )
}
