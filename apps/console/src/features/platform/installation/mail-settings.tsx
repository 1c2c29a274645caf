import {
  saveMailSettings,
  testMailSettings,
  type mailSettings,
} from '@emma/contract/actions/system-settings.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { Button, Group, NativeSelect, NumberInput, PasswordInput, Switch, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { api } from '../../../shell/session/api.ts'
import { showError } from '../../../shell/i18n/error-text.ts'
import { fieldFault } from '../field-fault.ts'
import { SettingsForm, useSettingsSave } from './settings-form.tsx'
import { SettingsSection } from '../settings-section.tsx'

type Settings = z.infer<typeof mailSettings> & { password_set: boolean; signed_by: string | null }

const encryptions = ['starttls', 'tls', 'none'] as const

/** Section of the SMTP server for invitations and password links. */
export function MailSettings({ settings }: { settings: Settings }): ReactNode {
  const { t } = useTranslation()
  const { password_set: hasPassword, signed_by: signedBy, ...kept } = settings
  const [draft, setDraft] = useState(kept)
  const [password, setPassword] = useState('')
  const text = (key: string) => t(`platform.installation.mail.${key}`)
  const save = useSettingsSave(() =>
    api.call(saveMailSettings, { body: { ...draft, password: password || null } }),
  )
  const trial = useMutation({
    mutationFn: () => api.call(testMailSettings, {}),
    onSuccess: ({ to }) => notify.success(t('platform.installation.mail.tested', { to })),
    onError: showError,
  })
  const input = (name: 'from' | 'host' | 'username') => ({
    label: text(name),
    value: draft[name] ?? '',
    error: fieldFault(save.error, name),
    onChange: (event: { currentTarget: { value: string } }) =>
      setDraft({ ...draft, [name]: event.currentTarget.value || null }),
  })
  return (
    <SettingsSection title={text('title')} text={text('text')}>
      <SettingsForm
        save={save}
        actions={
          <Button variant="default" loading={trial.isPending} onClick={() => trial.mutate()}>
            {text('test')}
          </Button>
        }
      >
        <Switch
          label={text('is_enabled')}
          description={text('is_enabled_text')}
          checked={draft.is_enabled}
          onChange={event => setDraft({ ...draft, is_enabled: event.currentTarget.checked })}
        />
        <TextInput
          {...input('from')}
          type="email"
          maxLength={254}
          description={
            settings.from !== null &&
            (signedBy === null
              ? text('unsigned')
              : t('platform.installation.mail.signed', { domain: signedBy }))
          }
        />
        <Group grow align="flex-start">
          <TextInput {...input('host')} maxLength={253} />
          <NumberInput
            label={text('port')}
            value={draft.port}
            min={1}
            max={65_535}
            error={fieldFault(save.error, 'port')}
            onChange={value => setDraft({ ...draft, port: Number(value) })}
          />
        </Group>
        <NativeSelect
          label={text('tls')}
          value={draft.tls}
          data={encryptions.map(value => ({ value, label: text(`tls_${value}`) }))}
          onChange={event => {
            const tls = encryptions.find(one => one === event.currentTarget.value)
            if (tls) setDraft({ ...draft, tls })
          }}
        />
        <Group grow align="flex-start">
          <TextInput {...input('username')} autoComplete="off" maxLength={255} />
          <PasswordInput
            label={text('password')}
            placeholder={hasPassword ? t('platform.installation.kept') : ''}
            value={password}
            autoComplete="new-password"
            onChange={event => setPassword(event.currentTarget.value)}
          />
        </Group>
      </SettingsForm>
    </SettingsSection>
  )
}
