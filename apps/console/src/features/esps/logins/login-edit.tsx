import type { RecordOf } from '@emma/client/emma-client.ts'
import { type Esp, espFields, espLogin, espRequired } from '@emma/contract/resources/esp-login.ts'
import { throttleUnits } from '@emma/contract/resources/mailclass.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { PasswordField, TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { CopyButton } from '@emma/ui/layout/copy-button.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Alert, Code, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NotFoundScreen } from '../../../shell/states/not-found-screen.tsx'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { useService } from '../service-list.tsx'

type Login = RecordOf<typeof espLogin>

const fields = [
  'name',
  'active',
  'host',
  'port',
  'tls',
  'username',
  'secret',
  'region',
  'domain',
  'stream',
  'configuration_set',
  'base_url',
  'max_mails',
  'max_unit',
  'webhook_secret',
] as const

/** Form of a login at a sending service. */
export default function LoginEdit(): ReactNode {
  const { t } = useTranslation()
  const esp = useService()
  if (esp === null) return <NotFoundScreen />
  return (
    <RecordPage resource={espLogin} subtitle={record => t(`esps.names.${record.esp}`)}>
      {record => (
        <>
          {record && <Refusal record={record} />}
          <LoginForm esp={record?.esp ?? esp} record={record} />
        </>
      )}
    </RecordPage>
  )
}

/** Alert with the service's error if it rejected the login. */
function Refusal({ record }: { record: Login }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  if (record.refused_at === null) return null
  return (
    <Alert color="red" variant="light" title={t('esps.esp_login.refused_title')} mb="lg">
      {t('esps.esp_login.refused_text', {
        time: format.dateTime(record.refused_at),
        reply: record.refused_text ?? '',
      })}
    </Alert>
  )
}

function LoginForm({ esp, record }: { esp: Esp; record: Login | null }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`esps.esp_login.${key}`)
  const has = (field: (typeof espFields)[Esp][number]) => espFields[esp].includes(field)
  const form = useResourceForm(espLogin, record, {
    fields,
    // The service comes from the URL.
    fixed: { esp },
    required: ['name', ...espRequired[esp]],
    secret: ['secret', 'webhook_secret'],
  })
  const kept = (isSet: boolean | undefined) => (isSet ? text('secret_kept') : '')
  return (
    <RecordForm form={form}>
      <FormSection title={text('sections.general')} description={text('sections.general_text')}>
        <TextField form={form} name="name" maxLength={255} />
        <SwitchField form={form} name="active" description={text('hints.active')} />
      </FormSection>
      <FormSection title={text('sections.access')} description={text(`access.${esp}`)}>
        {has('host') && (
          <>
            <FormRow>
              <TextField form={form} name="host" placeholder="smtp.example.com" maxLength={253} />
              <NumberField form={form} name="port" min={1} max={65_535} decimals={0} />
            </FormRow>
            <ChoiceField
              form={form}
              name="tls"
              look="segments"
              choices={(['none', 'starttls', 'tls'] as const).map(value => ({
                value,
                label: text(`tls.${value}`),
              }))}
            />
          </>
        )}
        {has('domain') && (
          <TextField
            form={form}
            name="domain"
            placeholder="mg.example.com"
            description={text('hints.domain')}
          />
        )}
        {has('region') && (
          <TextField
            form={form}
            name="region"
            placeholder={esp === 'ses' ? 'eu-central-1' : 'eu'}
            description={text(esp === 'ses' ? 'hints.region_ses' : 'hints.region')}
            maxLength={40}
          />
        )}
        {has('stream') && (
          <TextField form={form} name="stream" placeholder="outbound" description={text('hints.stream')} />
        )}
        {has('configuration_set') && (
          <TextField form={form} name="configuration_set" description={text('hints.configuration_set')} />
        )}
        {has('username') && <TextField form={form} name="username" maxLength={255} isMonospaced />}
        <PasswordField form={form} name="secret" placeholder={kept(record?.secret_set)} />
        {esp !== 'smtp' && (
          <TextField form={form} name="base_url" type="url" description={text('hints.base_url')} />
        )}
      </FormSection>
      <FormSection title={text('sections.limit')} description={text('sections.limit_text')}>
        <FormRow>
          <NumberField form={form} name="max_mails" min={0} decimals={0} />
          <ChoiceField
            form={form}
            name="max_unit"
            choices={throttleUnits.map(value => ({ value, label: text(`units.${value}`) }))}
          />
        </FormRow>
      </FormSection>
      {esp !== 'smtp' && (
        <FormSection title={text('sections.webhook')} description={text('sections.webhook_text')}>
          {record?.hook_path && (
            <Group gap="xs" wrap="nowrap">
              <Code style={{ overflowWrap: 'anywhere' }}>{record.hook_path}</Code>
              <CopyButton value={record.hook_path} label={text('copy_hook')} />
            </Group>
          )}
          <PasswordField
            form={form}
            name="webhook_secret"
            description={text('hints.webhook_secret')}
            placeholder={kept(record?.webhook_secret_set)}
          />
        </FormSection>
      )}
    </RecordForm>
  )
}
