import type { RecordOf } from '@emma/client/emma-client.ts'
import { knownMailboxes } from '@emma/contract/known-mailboxes.ts'
import { imapSetting } from '@emma/contract/resources/imap-setting.ts'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { PasswordField, TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'

type Server = RecordOf<typeof imapSetting>

const fields = [
  'provider',
  'protocol',
  'host',
  'port',
  'tls',
  'inbox_folder',
  'spam_folder',
  'promo_folder',
  'auth',
  'token_url',
  'oauth_client_id',
  'oauth_client_secret',
  'oauth_scope',
] as const

/** What a known provider sets. */
const known = ['provider', 'host', 'port', 'tls', 'auth', 'token_url', 'oauth_scope'] as const

interface ServerDialogProps {
  /** Null for a new one. */
  record: Server | null
  onClose: () => void
  onSaved: (saved: Server) => void
}

/** Dialog with the mail server of test mailboxes. Known providers fill it in. */
export function ServerDialog({ record, onClose, onSaved }: ServerDialogProps): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.imap_setting.${key}`)
  const form = useResourceForm(imapSetting, record, {
    fields,
    secret: ['oauth_client_secret'],
    afterCreate: 'stay',
    isRemovable: () => false,
    onSaved,
  })
  const isImap = form.values.protocol === 'imap'
  const isOAuth = isImap && form.values.auth === 'oauth2'
  const choices = <T extends string>(field: string, values: readonly T[]) =>
    values.map(value => ({ value, label: text(`${field}.${value}`) }))
  function fill(provider: (typeof knownMailboxes)[number]): void {
    form.field('protocol').set('imap')
    for (const field of known) form.field(field).set(provider[field])
  }
  return (
    <Dialog title={text(record ? 'edit' : 'new')} isOpen onClose={onClose} size="lg" isStatic>
      {record === null && (
        <>
          <Text size="sm" mb="xs">
            {text('known')}
          </Text>
          <Group gap="xs" mb="lg">
            {knownMailboxes.map(provider => (
              <Button
                key={provider.provider}
                size="xs"
                variant={form.values.provider === provider.provider ? 'filled' : 'default'}
                aria-pressed={form.values.provider === provider.provider}
                onClick={() => fill(provider)}
              >
                {provider.provider}
              </Button>
            ))}
          </Group>
        </>
      )}
      <RecordForm form={form}>
        <FormSection title={text('sections.server')}>
          <TextField form={form} name="provider" maxLength={100} description={text('hints.provider')} />
          <ChoiceField
            form={form}
            name="protocol"
            look="segments"
            choices={choices('protocols', ['imap', 'testbed'])}
          />
          {isImap && (
            <>
              <FormRow>
                <TextField form={form} name="host" placeholder="imap.example.com" maxLength={253} />
                <NumberField form={form} name="port" min={1} max={65_535} decimals={0} />
              </FormRow>
              <ChoiceField
                form={form}
                name="tls"
                look="segments"
                choices={choices('tls', ['tls', 'starttls'])}
              />
            </>
          )}
        </FormSection>
        {isImap && (
          <FormSection title={text('sections.folders')} description={text('sections.folders_text')}>
            <FormRow>
              <TextField form={form} name="inbox_folder" placeholder="INBOX" maxLength={255} />
              <TextField form={form} name="spam_folder" maxLength={255} />
              <TextField form={form} name="promo_folder" maxLength={255} />
            </FormRow>
          </FormSection>
        )}
        {isImap && (
          <FormSection title={text('sections.auth')} description={text('sections.auth_text')}>
            <ChoiceField
              form={form}
              name="auth"
              look="segments"
              choices={choices('auths', ['password', 'oauth2'])}
            />
            {isOAuth && (
              <>
                <TextField form={form} name="token_url" type="url" maxLength={500} />
                <FormRow>
                  <TextField form={form} name="oauth_client_id" maxLength={255} isMonospaced />
                  <PasswordField
                    form={form}
                    name="oauth_client_secret"
                    placeholder={record?.oauth_client_secret_set ? text('secret_kept') : ''}
                  />
                </FormRow>
                <TextField form={form} name="oauth_scope" maxLength={500} isMonospaced />
              </>
            )}
          </FormSection>
        )}
        {record && <Text size="sm">{text('change_hint')}</Text>}
      </RecordForm>
    </Dialog>
  )
}
