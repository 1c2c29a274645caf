import { saveSignInSettings, type signInSettings } from '@emma/contract/actions/system-settings.ts'
import { client } from '@emma/contract/resources/client.ts'
import { role } from '@emma/contract/resources/role.ts'
import { CopyButton } from '@emma/ui/layout/copy-button.tsx'
import { TagsBox } from '@emma/ui/form/tags-box.tsx'
import { Select } from '@emma/ui/select/select.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { Code, Group, PasswordInput, Switch, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { api } from '../../../shell/session/api.ts'
import { fieldFault } from '../field-fault.ts'
import { Labelled } from '../labelled.tsx'
import { SettingsForm, useSettingsSave } from './settings-form.tsx'
import { SettingsSection } from '../settings-section.tsx'

type Settings = z.infer<typeof signInSettings> & { secret_set: boolean; redirect_url: string }

const byName = { sort: { field: 'name' } }
const roles = resourceSource(api, role, { toOption: row => ({ label: row.name }), ...byName })
const clients = resourceSource(api, client, { toOption: row => ({ label: row.name }), ...byName })

/** Section of the OpenID Connect provider: its address, accepted email domains, and defaults of new users. */
export function SignInSettings({ settings }: { settings: Settings }): ReactNode {
  const { t } = useTranslation()
  const { secret_set: hasSecret, redirect_url: redirectUrl, ...kept } = settings
  const [draft, setDraft] = useState(kept)
  const [secret, setSecret] = useState('')
  const text = (key: string) => t(`platform.installation.sign_in.${key}`)
  const fault = (name: string) => fieldFault(save.error, name)
  const save = useSettingsSave(() =>
    api.call(saveSignInSettings, { body: { ...draft, client_secret: secret || null } }),
  )
  return (
    <SettingsSection title={text('title')} text={text('text')}>
      <SettingsForm save={save}>
        <Switch
          label={text('is_enabled')}
          checked={draft.is_enabled}
          onChange={event => setDraft({ ...draft, is_enabled: event.currentTarget.checked })}
        />
        <TextInput
          label={text('name')}
          description={text('name_text')}
          value={draft.name}
          maxLength={60}
          error={fault('name')}
          onChange={event => setDraft({ ...draft, name: event.currentTarget.value })}
        />
        <TextInput
          label={text('issuer')}
          description={text('issuer_text')}
          value={draft.issuer ?? ''}
          maxLength={500}
          error={fault('issuer')}
          onChange={event => setDraft({ ...draft, issuer: event.currentTarget.value || null })}
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
            onChange={event => setSecret(event.currentTarget.value)}
          />
        </Group>
        <div>
          <Text size="sm" fw={600}>
            {text('redirect_url')}
          </Text>
          <Group gap="xs">
            <Code style={{ overflowWrap: 'anywhere' }}>{redirectUrl}</Code>
            <CopyButton value={redirectUrl} />
          </Group>
        </div>
        <Switch
          label={text('trusts_second_factor')}
          description={text('trusts_second_factor_text')}
          checked={draft.trusts_second_factor}
          onChange={event => setDraft({ ...draft, trusts_second_factor: event.currentTarget.checked })}
        />
        <TagsBox
          label={text('domains')}
          description={text('domains_text')}
          value={draft.domains}
          error={fault('domains')}
          onChange={domains => setDraft({ ...draft, domains: domains.map(domain => domain.toLowerCase()) })}
        />
        <Text size="sm" c="dimmed">
          {text('new_people')}
        </Text>
        <Labelled label={text('role_id')} fault={fault('role_id')}>
          <Select
            label={text('role_id')}
            source={roles}
            value={draft.role_id}
            onChange={value => setDraft({ ...draft, role_id: value })}
          />
        </Labelled>
        <Labelled label={text('tenant_id')} fault={fault('tenant_id')}>
          <Select
            label={text('tenant_id')}
            source={clients}
            value={draft.tenant_id}
            onChange={value => setDraft({ ...draft, tenant_id: value })}
          />
        </Labelled>
      </SettingsForm>
    </SettingsSection>
  )
}
