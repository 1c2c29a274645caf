import { queryKeys } from '@emma/client/query-keys.ts'
import { confirmOwnEmail, readProfile, saveProfile } from '@emma/contract/actions/account.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { FormSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { isEmailAddress } from '@emma/ui/form/form-reading.ts'
import { Alert, Button, Group, PasswordInput, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { storeAnswer } from '../../../shell/resource/query-client.ts'
import { sessionStore } from '../../../shell/session/session-store.ts'
import { fieldFault } from '../field-fault.ts'
import { SettingsSection } from '../settings-section.tsx'

interface Profile {
  username: string
  firstname: string
  lastname: string
  email: string
}

/** Form of the user's name and email address. */
export function OwnProfile({ userId }: { userId: number }): ReactNode {
  const { t } = useTranslation()
  const search: { email_token?: unknown } = useSearch({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: profileKey(userId),
    queryFn: () => api.call(readProfile, { params: { id: userId }, ignoreCache: true }),
  })
  return (
    <SettingsSection title={t('platform.own.profile')} text={data?.username}>
      {typeof search.email_token === 'string' && <ConfirmEmail userId={userId} token={search.email_token} />}
      {data && <ProfileForm key={JSON.stringify(data)} userId={userId} profile={data} />}
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <FormSkeleton />}
    </SettingsSection>
  )
}

/** Confirms a new email address by a click on a button: link scanners only open the link. */
function ConfirmEmail({ userId, token }: { userId: number; token: string }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const confirm = useMutation({
    mutationFn: () => api.call(confirmOwnEmail, { params: { id: userId }, body: { token } }),
    onSuccess: async profile => {
      await storeAnswer(profileKey(userId), profile)
      notify.success(t('platform.own.email_confirmed', { email: profile.email }))
      await navigate({ to: '/usersettings', replace: true })
    },
  })
  return (
    <Alert mb="md" title={t('platform.own.email_confirm_title')}>
      <Text size="sm" mb="sm">
        {t('platform.own.email_confirm_text')}
      </Text>
      {confirm.error && (
        <Text c="red" size="sm" mb="sm" role="alert">
          {errorText(confirm.error)}
        </Text>
      )}
      <Button onClick={() => confirm.mutate()} loading={confirm.isPending}>
        {t('platform.own.email_confirm')}
      </Button>
    </Alert>
  )
}

const profileKey = (userId: number) => queryKeys.action(readProfile, { params: { id: userId } })

function ProfileForm({ userId, profile }: { userId: number; profile: Profile }): ReactNode {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(profile)
  const [password, setPassword] = useState('')
  const [isChecked, setChecked] = useState(false)
  const isMoved = draft.email !== profile.email
  const isWrong = !isEmailAddress(draft.email)
  const save = useMutation({
    mutationFn: () => {
      const { firstname, lastname, email } = draft
      const body = { firstname, lastname, email, ...(isMoved ? { old_password: password } : {}) }
      return api.call(saveProfile, { params: { id: userId }, body })
    },
    onSuccess: async ({ pending_email: pending, ...saved }) => {
      await storeAnswer(profileKey(userId), saved)
      setDraft(saved)
      setPassword('')
      const { claims } = sessionStore.get()
      const { firstname, lastname } = saved
      if (claims) sessionStore.update({ claims: { ...claims, sub: { ...claims.sub, firstname, lastname } } })
      notify.success(
        pending === null ? t('platform.own.saved') : t('platform.own.email_pending', { email: pending }),
      )
    },
  })
  const input = (name: 'firstname' | 'lastname' | 'email') => ({
    label: t(`platform.user.fields.${name}`),
    value: draft[name],
    maxLength: 254,
    error:
      (isChecked && draft[name].trim() === '' && t('platform.own.needed')) || fieldFault(save.error, name),
    onChange: (event: { currentTarget: { value: string } }) =>
      setDraft({ ...draft, [name]: event.currentTarget.value }),
  })
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault()
        setChecked(true)
        if (!isWrong && draft.firstname.trim() && draft.lastname.trim()) save.mutate()
      }}
    >
      <Group grow align="flex-start" mb="sm">
        <TextInput {...input('firstname')} autoComplete="given-name" />
        <TextInput {...input('lastname')} autoComplete="family-name" />
      </Group>
      <TextInput
        {...input('email')}
        type="email"
        autoComplete="email"
        {...(isChecked && isWrong ? { error: t('platform.user.email_fault') } : {})}
      />
      {isMoved && (
        <PasswordInput
          mt="sm"
          label={t('platform.own.old_password')}
          description={t('platform.own.email_password')}
          value={password}
          onChange={event => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          error={fieldFault(save.error, 'old_password')}
        />
      )}
      <Button type="submit" variant="default" mt="md" loading={save.isPending}>
        {t('platform.own.save')}
      </Button>
    </form>
  )
}
