import {
  type beefreeExportSettings,
  type beefreeSettings,
  saveBeefreeExport,
  saveBeefreeSettings,
} from '@emma/contract/actions/system-settings.ts'
import { Group, PasswordInput, Stack, Switch, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { api } from '../../../shell/session/api.ts'
import { fieldFault } from '../field-fault.ts'
import { SettingsSection } from '../settings-section.tsx'
import { SettingsForm, useSettingsSave } from './settings-form.tsx'

type Settings = z.infer<typeof beefreeSettings> & { secret_set: boolean }
type ExportSettings = z.infer<typeof beefreeExportSettings> & { key_set: boolean }

/** Section of Beefree's editor and of its HTML export. */
export function BeefreeSettings({
  settings,
  exportSettings,
}: {
  settings: Settings
  exportSettings: ExportSettings
}): ReactNode {
  const { t } = useTranslation()
  return (
    <SettingsSection title="Beefree" text={t('platform.installation.beefree.text')}>
      <Stack gap="xl">
        <Credentials settings={settings} />
        <ExportKey settings={exportSettings} />
      </Stack>
    </SettingsSection>
  )
}

function Credentials({ settings }: { settings: Settings }): ReactNode {
  const { t } = useTranslation()
  const { secret_set: hasSecret, ...kept } = settings
  const [draft, setDraft] = useState(kept)
  const [secret, setSecret] = useState('')
  const text = (name: string) => t(`platform.installation.beefree.${name}`)
  const save = useSettingsSave(() =>
    api.call(saveBeefreeSettings, { body: { ...draft, client_secret: secret || null } }),
  )
  const fault = (name: string) => fieldFault(save.error, name)
  return (
    <SettingsForm save={save}>
      <Switch
        label={text('is_enabled')}
        checked={draft.is_enabled}
        onChange={event => setDraft({ ...draft, is_enabled: event.currentTarget.checked })}
      />
      <Group grow align="flex-start">
        <TextInput
          label={text('client_id')}
          value={draft.client_id ?? ''}
          maxLength={255}
          error={fault('client_id')}
          onChange={event => setDraft({ ...draft, client_id: event.currentTarget.value || null })}
        />
        <PasswordInput
          label={text('client_secret')}
          placeholder={hasSecret ? t('platform.installation.kept') : ''}
          value={secret}
          autoComplete="new-password"
          error={fault('client_secret')}
          onChange={event => setSecret(event.currentTarget.value)}
        />
      </Group>
      <TextInput
        label={text('url')}
        value={draft.url}
        maxLength={500}
        error={fault('url')}
        onChange={event => setDraft({ ...draft, url: event.currentTarget.value })}
      />
    </SettingsForm>
  )
}

function ExportKey({ settings }: { settings: ExportSettings }): ReactNode {
  const { t } = useTranslation()
  const { key_set: hasKey, ...kept } = settings
  const [draft, setDraft] = useState(kept)
  const [key, setKey] = useState('')
  const text = (name: string) => t(`platform.installation.beefree.${name}`)
  const save = useSettingsSave(() =>
    api.call(saveBeefreeExport, { body: { ...draft, api_key: key || null } }),
  )
  const fault = (name: string) => fieldFault(save.error, name)
  return (
    <SettingsForm save={save}>
      <PasswordInput
        label={text('export_key')}
        description={text('export_text')}
        placeholder={hasKey ? t('platform.installation.kept') : ''}
        value={key}
        autoComplete="new-password"
        error={fault('api_key')}
        onChange={event => setKey(event.currentTarget.value)}
      />
      <TextInput
        label={text('export_url')}
        value={draft.url ?? ''}
        maxLength={500}
        error={fault('url')}
        onChange={event => setDraft({ ...draft, url: event.currentTarget.value || null })}
      />
    </SettingsForm>
  )
}
