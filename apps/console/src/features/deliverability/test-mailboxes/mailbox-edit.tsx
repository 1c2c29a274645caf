import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { imapLogin } from '@emma/contract/resources/imap-login.ts'
import { imapSetting } from '@emma/contract/resources/imap-setting.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { PasswordField, TextField } from '@emma/ui/form/fields/text-field.tsx'
import { isEmailAddress } from '@emma/ui/form/form-reading.ts'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { SelectField } from '@emma/ui/select/select-field.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { Alert, Button, Group } from '@mantine/core'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { api } from '../../../shell/session/api.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import { MailboxTest } from './mailbox-test.tsx'
import { ServerDialog } from './server-dialog.tsx'

type Mailbox = RecordOf<typeof imapLogin>

const fields = ['email', 'setting_id', 'username', 'password', 'active'] as const

/** Form of a test mailbox, with the test of its connection. */
export default function MailboxEdit(): ReactNode {
  return <RecordPage resource={imapLogin}>{record => <MailboxForm record={record} />}</RecordPage>
}

function MailboxForm({ record }: { record: Mailbox | null }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.imap_login.${key}`)
  const [edited, setEdited] = useState<'new' | number | null>(null)
  const form = useResourceForm(imapLogin, record, {
    fields,
    required:
      record === null ? ['email', 'setting_id', 'username', 'password'] : ['email', 'setting_id', 'username'],
    secret: ['password'],
    validate: ({ email }) => ({ email: email && !isEmailAddress(email) ? text('email_fault') : null }),
  })
  const { setting_id: settingId, username, password } = form.values
  const setting = useSetting(settingId)
  const servers = useMemo(
    () =>
      resourceSource(api, imapSetting, {
        toOption: row => ({
          label: row.provider,
          description: row.host ?? t('deliverability.imap_setting.protocols.testbed'),
        }),
        sort: { field: 'provider', descending: false },
      }),
    [t],
  )
  const { mayCreate, mayChange } = useRights(imapSetting)
  const isOAuth = setting?.auth === 'oauth2'
  return (
    <>
      <RecordForm form={form}>
        {record?.last_error && (
          <Alert color="red" variant="light" title={text('error_title')}>
            {textOfFault(record.last_error)}
          </Alert>
        )}
        <FormSection title={text('sections.mailbox')} description={text('sections.mailbox_text')}>
          <TextField form={form} name="email" type="email" placeholder="seed@example.com" />
          <SelectField form={form} name="setting_id" source={servers} isClearable={false} />
          <Group gap="xs">
            {mayCreate && (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconPlus size={14} />}
                onClick={() => setEdited('new')}
              >
                {t('deliverability.imap_setting.new')}
              </Button>
            )}
            {mayChange && settingId !== null && (
              <Button
                variant="subtle"
                size="xs"
                leftSection={<IconPencil size={14} />}
                onClick={() => setEdited(settingId)}
              >
                {t('deliverability.imap_setting.edit')}
              </Button>
            )}
          </Group>
          <SwitchField form={form} name="active" description={text('hints.active')} />
        </FormSection>
        <FormSection title={text('sections.login')} description={text('sections.login_text')}>
          <FormRow>
            <TextField
              form={form}
              name="username"
              description={text('hints.username')}
              maxLength={255}
              isMonospaced
            />
            <PasswordField
              form={form}
              name="password"
              description={text(isOAuth ? 'hints.refresh_token' : 'hints.password')}
              placeholder={record?.password_set ? text('password_kept') : ''}
            />
          </FormRow>
          <MailboxTest
            loginId={record?.login_id ?? null}
            settingId={settingId}
            username={username ?? ''}
            password={password ?? ''}
          />
        </FormSection>
      </RecordForm>
      {edited !== null && (edited === 'new' || setting) && (
        <ServerDialog
          record={edited === 'new' ? null : (setting ?? null)}
          onClose={() => setEdited(null)}
          onSaved={saved => {
            form.field('setting_id').set(saved.setting_id)
            setEdited(null)
          }}
        />
      )}
    </>
  )
}

function useSetting(id: number | null): RecordOf<typeof imapSetting> | undefined {
  const { data } = useQuery({
    queryKey: queryKeys.record(imapSetting, id ?? 'new'),
    queryFn: ({ signal }) => api.find(imapSetting, id ?? 0, {}, { signal }),
    enabled: id !== null,
  })
  return data
}
