import { queryKeys } from '@emma/client/query-keys.ts'
import { readSecondFactor, removeSecondFactor } from '@emma/contract/actions/second-factor.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Alert, Button, Group, Skeleton, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { queryClient } from '../../../shell/resource/query-client.ts'
import { AccountForm, PresentPassword } from './account-form.tsx'
import { fieldFault } from '../field-fault.ts'
import { goOnWith } from '../go-on-with.ts'
import { SecondFactorSetUp } from './second-factor-set-up.tsx'
import { SettingsSection } from '../settings-section.tsx'

/** Section of two-factor authentication: set up with an app, or remove. */
export function SecondFactor({ userId }: { userId: number }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const [step, setStep] = useState<'rest' | 'add' | 'remove'>('rest')
  const { data, error, refetch } = useQuery({
    queryKey: secondFactorKey(userId),
    queryFn: () => api.call(readSecondFactor, { params: { id: userId }, ignoreCache: true }),
  })
  const rest = () => {
    setStep('rest')
    void queryClient.invalidateQueries({ queryKey: secondFactorKey(userId) })
  }
  const isOn = data !== undefined && data.since !== null
  return (
    <SettingsSection
      title={t('platform.second_factor.title')}
      text={t('platform.second_factor.text')}
      aside={
        data && (
          <StatusBadge tone={isOn ? 'positive' : 'neutral'}>
            {t(isOn ? 'platform.second_factor.on' : 'platform.second_factor.off')}
          </StatusBadge>
        )
      }
    >
      {!data && !error && <Skeleton height={36} />}
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.is_required && !isOn && (
        <Alert color="yellow" variant="light" py="xs">
          {t('platform.second_factor.required')}
        </Alert>
      )}
      {isOn && step === 'rest' && (
        <Text size="sm">
          {t('platform.second_factor.since', { date: format.dateTime(data.since ?? '') })}{' '}
          {t('platform.second_factor.codes_left', { count: data.recovery_codes })}
        </Text>
      )}
      {data && step === 'rest' && (
        <Button variant="default" w="fit-content" onClick={() => setStep(isOn ? 'remove' : 'add')}>
          {t(isOn ? 'platform.second_factor.remove' : 'platform.second_factor.add')}
        </Button>
      )}
      {step === 'add' && <SecondFactorSetUp userId={userId} onDone={rest} />}
      {step === 'remove' && <Removal userId={userId} onDone={rest} />}
    </SettingsSection>
  )
}

const secondFactorKey = (userId: number) => queryKeys.action(readSecondFactor, { params: { id: userId } })

function Removal({ userId, onDone }: { userId: number; onDone: () => void }): ReactNode {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const removal = useMutation({
    mutationFn: () =>
      goOnWith(
        api.callForToken(removeSecondFactor, {
          params: { id: userId },
          body: { old_password: password, code },
        }),
      ),
    onSuccess: () => {
      notify.success(t('platform.second_factor.removed'))
      onDone()
    },
  })
  return (
    <AccountForm error={removal.error} onSubmit={() => removal.mutate()}>
      <PresentPassword value={password} onChange={setPassword} error={removal.error} />
      <TextInput
        label={t('account.login.code')}
        description={t('account.login.code_text')}
        value={code}
        onChange={event => setCode(event.currentTarget.value)}
        error={fieldFault(removal.error, 'code')}
        autoComplete="one-time-code"
        maxLength={40}
        required
        withAsterisk={false}
      />
      <Group>
        <Button type="submit" color="red" loading={removal.isPending}>
          {t('platform.second_factor.remove')}
        </Button>
        <Button variant="subtle" color="gray" onClick={onDone}>
          {t('platform.own.cancel')}
        </Button>
      </Group>
    </AccountForm>
  )
}
