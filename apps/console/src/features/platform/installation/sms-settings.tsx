import { saveSmsSettings, type smsSettings } from '@emma/contract/actions/system-settings.ts'
import { Group, PasswordInput, Switch, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { api } from '../../../shell/session/api.ts'
import { fieldFault } from '../field-fault.ts'
import { SettingsSection } from '../settings-section.tsx'
import { SettingsForm, useSettingsSave } from './settings-form.tsx'

type Settings = z.infer<typeof smsSettings> & { key_set: boolean }

/** Section of the HTTP gateway that sends the SMS of alerts. */
export function SmsSettings({ settings }: { settings: Settings }): ReactNode {
  const { t } = useTranslation()
  const { key_set: hasKey, ...kept } = settings
  const [draft, setDraft] = useState(kept)
  const [key, setKey] = useState('')
  const text = (name: string) => t(`platform.installation.sms.${name}`)
  const fault = (name: string) => fieldFault(save.error, name)
  const save = useSettingsSave(() => api.call(saveSmsSettings, { body: { ...draft, api_key: key || null } }))
  return (
    <SettingsSection title={text('title')} text={text('text')}>
      <SettingsForm save={save}>
        <Switch
          label={text('is_enabled')}
          checked={draft.is_enabled}
          onChange={event => setDraft({ ...draft, is_enabled: event.currentTarget.checked })}
        />
        <TextInput
          label={text('url')}
          description={text('url_text')}
          value={draft.url ?? ''}
          maxLength={500}
          error={fault('url')}
          onChange={event => setDraft({ ...draft, url: event.currentTarget.value || null })}
        />
        <Group grow align="flex-start">
          <TextInput
            label={text('sender')}
            value={draft.sender ?? ''}
            maxLength={20}
            error={fault('sender')}
            onChange={event => setDraft({ ...draft, sender: event.currentTarget.value || null })}
          />
          <PasswordInput
            label={text('api_key')}
            placeholder={hasKey ? t('platform.installation.kept') : ''}
            value={key}
            autoComplete="new-password"
            error={fault('api_key')}
            onChange={event => setKey(event.currentTarget.value)}
          />
        </Group>
      </SettingsForm>
    </SettingsSection>
  )
}
