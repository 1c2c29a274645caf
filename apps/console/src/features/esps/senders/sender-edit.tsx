import type { RecordOf } from '@emma/client/emma-client.ts'
import { type Esp, espLogin } from '@emma/contract/resources/esp-login.ts'
import { espSendfromid } from '@emma/contract/resources/esp-sendfromid.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { isEmailAddress } from '@emma/ui/form/form-reading.ts'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { useRecordForm } from '@emma/ui/form/use-record-form.ts'
import { SelectField } from '@emma/ui/select/select-field.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { NotFoundScreen } from '../../../shell/states/not-found-screen.tsx'
import { saveRecord } from '../../../shell/resource/record-calls.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useFieldLabels } from '../../../shell/i18n/use-field-labels.ts'
import { useRecordEdit } from '../../../shell/resource/use-record-edit.ts'
import { pathOf, useService } from '../service-list.tsx'

type Sender = RecordOf<typeof espSendfromid>

const fields = ['login_id', 'from_email', 'from_name', 'reply_to', 'external_id', 'verified'] as const

/** One sender address that a service knows, or a new one. */
export default function SenderEdit(): ReactNode {
  const { t } = useTranslation()
  const esp = useService()
  if (esp === null) return <NotFoundScreen />
  return (
    <RecordPage
      resource={espSendfromid}
      back={pathOf('senders', esp)}
      title={record => record?.from_email ?? t('esps.esp_sendfromid.new')}
      subtitle={record => t(`esps.names.${record.esp}`)}
    >
      {(record, id) => <SenderForm esp={record?.esp ?? esp} record={record} id={id} />}
    </RecordPage>
  )
}

interface SenderFormProps {
  esp: Esp
  record: Sender | null
  id: number | null
}

function SenderForm({ esp, record, id }: SenderFormProps): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/external-esps/senders/$esp', params: { esp } })
  const text = (key: string) => t(`esps.esp_sendfromid.${key}`)
  const edit = useRecordEdit(espSendfromid, { record, id, nameOf: row => row.from_email, toList })
  const form = useRecordForm({
    ...edit.options,
    toValues: senderValues,
    labels: useFieldLabels(espSendfromid, fields),
    // The service is the address'.
    required: ['login_id', 'from_email'],
    validate: ({ from_email, reply_to }) => ({
      from_email: from_email && !isEmailAddress(from_email) ? text('email_fault') : null,
      reply_to: reply_to && !isEmailAddress(reply_to) ? text('email_fault') : null,
    }),
    save: (values, change) => saveRecord(espSendfromid, id, { ...values, esp }, change),
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
    <RecordForm form={form} removal={edit.removal}>
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

function senderValues(record: Sender | null) {
  return {
    login_id: record?.login_id ?? null,
    from_email: record?.from_email ?? '',
    from_name: record?.from_name ?? null,
    reply_to: record?.reply_to ?? null,
    external_id: record?.external_id ?? null,
    verified: record?.verified ?? false,
  }
}
