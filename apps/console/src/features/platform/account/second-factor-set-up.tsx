import { beginSecondFactor, confirmSecondFactor } from '@emma/contract/actions/second-factor.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { CopyButton } from '@emma/ui/layout/copy-button.tsx'
import { Alert, Button, Code, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { AccountForm, PresentPassword } from './account-form.tsx'
import { fieldFault } from '../field-fault.ts'
import { goOnWith } from '../go-on-with.ts'

interface StepProps {
  userId: number
  onDone: () => void
}

interface Key {
  key: string
  picture: string
}

/** Set-up in three steps: password, key for the app, recovery codes. */
export function SecondFactorSetUp({ userId, onDone }: StepProps): ReactNode {
  const [key, setKey] = useState<Key | null>(null)
  const [codes, setCodes] = useState<readonly string[]>([])
  if (codes.length > 0) return <RecoveryCodes codes={codes} onDone={onDone} />
  if (key) return <ScanStep userId={userId} secret={key} onCodes={setCodes} onDone={onDone} />
  return <PasswordStep userId={userId} onKey={setKey} onDone={onDone} />
}

function PasswordStep({ userId, onKey, onDone }: StepProps & { onKey: (key: Key) => void }): ReactNode {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const begin = useMutation({
    mutationFn: () =>
      api.call(beginSecondFactor, { params: { id: userId }, body: { old_password: password } }),
    onSuccess: onKey,
  })
  return (
    <AccountForm error={begin.error} onSubmit={() => begin.mutate()}>
      <PresentPassword
        value={password}
        onChange={setPassword}
        error={begin.error}
        description={t('platform.second_factor.password_text')}
        isFirst
      />
      <Buttons label={t('platform.second_factor.next')} isBusy={begin.isPending} onCancel={onDone} />
    </AccountForm>
  )
}

interface ScanStepProps extends StepProps {
  secret: Key
  onCodes: (codes: readonly string[]) => void
}

function ScanStep({ userId, secret, onCodes, onDone }: ScanStepProps): ReactNode {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const confirmation = useMutation({
    mutationFn: () =>
      goOnWith(api.callForToken(confirmSecondFactor, { params: { id: userId }, body: { code } })),
    onSuccess: ({ recovery_codes: codes }) => {
      notify.success(t('platform.second_factor.added'))
      onCodes(codes)
    },
  })
  return (
    <AccountForm error={confirmation.error} onSubmit={() => confirmation.mutate()}>
      <Text size="sm">{t('platform.second_factor.scan')}</Text>
      <Group align="center" gap="lg">
        <img
          src={`data:image/svg+xml;utf8,${encodeURIComponent(secret.picture)}`}
          alt={t('platform.second_factor.picture')}
          width={180}
          height={180}
          style={{ borderRadius: 8, background: '#fff' }}
        />
        <Stack gap={6} style={{ flex: '1 1 200px' }}>
          <Text size="sm" c="dimmed">
            {t('platform.second_factor.key')}
          </Text>
          <Group gap="xs">
            <Code style={{ overflowWrap: 'anywhere' }}>{secret.key.replaceAll(/(.{4})(?=.)/g, '$1 ')}</Code>
            <CopyButton value={secret.key} />
          </Group>
        </Stack>
      </Group>
      <TextInput
        label={t('account.login.code')}
        description={t('platform.second_factor.code_text')}
        value={code}
        onChange={event => setCode(event.currentTarget.value)}
        error={fieldFault(confirmation.error, 'code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        required
        withAsterisk={false}
        autoFocus
      />
      <Buttons
        label={t('platform.second_factor.confirm')}
        isBusy={confirmation.isPending}
        onCancel={onDone}
      />
    </AccountForm>
  )
}

/** The codes are only shown once. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }): ReactNode {
  const { t } = useTranslation()
  return (
    <Stack>
      <Alert color="yellow" variant="light" title={t('platform.second_factor.codes_title')}>
        {t('platform.second_factor.codes_text')}
      </Alert>
      <SimpleGrid
        cols={{ base: 1, xs: 2 }}
        spacing={6}
        component="ul"
        style={{ listStyle: 'none', padding: 0 }}
      >
        {codes.map(code => (
          <li key={code}>
            <Code>{code}</Code>
          </li>
        ))}
      </SimpleGrid>
      <Group>
        <CopyButton value={codes.join('\n')} label={t('platform.second_factor.codes_copy')} />
        <Button variant="default" onClick={onDone}>
          {t('platform.second_factor.codes_kept')}
        </Button>
      </Group>
    </Stack>
  )
}

function Buttons(props: { label: string; isBusy: boolean; onCancel: () => void }): ReactNode {
  const { t } = useTranslation()
  return (
    <Group>
      <Button type="submit" loading={props.isBusy}>
        {props.label}
      </Button>
      <Button variant="subtle" color="gray" onClick={props.onCancel}>
        {t('platform.own.cancel')}
      </Button>
    </Group>
  )
}
