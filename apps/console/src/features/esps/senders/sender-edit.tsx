import type { RecordOf } from '@emma/client/emma-client.ts'
import { type Esp, espLogin } from '@emma/contract/resources/esp-login.ts'
import { espSendfromid } from '@emma/contract/resources/esp-sendfromid.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { isEmailAddress } from '@emma/ui/form/form-reading.ts'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { SelectField } from '@emma/ui/select/select-field.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { NotFoundScreen } from '../../../shell/states/not-found-screen.tsx'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { useService } from '../service-list.tsx'

type Sender = RecordOf<typeof espSendfromid>

const fields = ['login_id', 'from_email', 'from_name', 'reply_to', 'external_id', 'verified'] as const

/** Form of a sender address registered at a service. */
export default function SenderEdit(): ReactNode {
  const { t } = useTranslation()
  const esp = useService()
  if (esp === null) return <NotFoundScreen />
  return (
    <RecordPage resource={espSendfromid} subtitle={record => t(`esps.names.${record.esp}`)}>
      {record => <SenderForm esp={record?.esp ?? esp} record={record} />}
    </RecordPage>
  )
}

function SenderForm({ esp, record }: { esp: Esp; record: Sender | null }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`esps.esp_sendfromid.${key}`)
  const form = useResourceForm(espSendfromid, record, {
    fields,
    // The service comes from the URL.
    fixed: { esp },
    validate: ({ from_email, reply_to }) => ({
      from_email: from_email && !isEmailAddress(from_email) ? text('email_fault') : null,
      reply_to: reply_to && !isEmailAddress(reply_to) ? text('email_fault') : null,
    }),
  })
  const logins = useMemo(
    () =>
      resourceSource(api, espLogin, {
        toOption: row => ({ label: row.name }),
        filters: { esp: [esp] },
        sort: { field: 'name', descending: false },
      }),
    [esp],
  )
  return (
    <RecordForm form={form}>
      <FormSection title={text('sections.sender')} description={text('sections.sender_text')}>
        <SelectField form={form} name="login_id" source={logins} isClearable={false} />
        <FormRow>
          <TextField form={form} name="from_email" type="email" placeholder="news@example.com" />
          <TextField form={form} name="from_name" maxLength={255} />
        </FormRow>
        <TextField form={form} name="reply_to" type="email" />
      </FormSection>
      <FormSection title={text('sections.service')} description={text('sections.service_text')}>
        <TextField
          form={form}
          name="external_id"
          description={text('hints.external_id')}
          maxLength={255}
          isMonospaced
        />
        <SwitchField form={form} name="verified" description={text('hints.verified')} />
      </FormSection>
    </RecordForm>
  )
}
