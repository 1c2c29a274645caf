import { webhook } from '@emma/contract/resources/webhook.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { useRecordForm } from '@emma/ui/form/use-record-form.ts'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveRecord } from '../../shell/resource/record-calls.ts'
import { useRecordEdit } from '../../shell/resource/use-record-edit.ts'
import { EventPicker } from './event-picker.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import type { Webhook } from './webhook-state.tsx'

const path = '/settings/webhooks'

/** Form of a webhook. Shows the secret once, after creation or a change of the URL. */
export function WebhookForm({ record, id }: { record: Webhook | null; id: number | null }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [made, setMade] = useState<Webhook | null>(null)
  const toList = () => void navigate({ to: path })
  const edit = useRecordEdit(webhook, { record, id, nameOf: row => row.url, toList })
  const form = useRecordForm({
    ...edit.options,
    toValues: webhookValues,
    labels: {
      url: t('webhooks.fields.url'),
      description: t('webhooks.fields.description'),
      events: t('webhooks.fields.events'),
      active: t('webhooks.fields.active'),
    },
    validate: ({ url }) => ({ url: url === '' || URL.canParse(url) ? null : t('webhooks.url_rule') }),
    save: (values, change) => saveRecord(webhook, id, values, change),
    onSaved: saved => {
      if (id !== null) edit.options.onSaved(saved)
      // A changed URL gets a new secret.
      if (id === null || saved.secret !== null) setMade(saved)
    },
  })
  return (
    <>
      <SecretDialog
        secret={made?.secret ?? null}
        text={t(id === null ? 'webhooks.secret.made' : 'webhooks.secret.moved')}
        onClose={() => {
          setMade(null)
          if (id === null)
            void navigate({ to: `${path}/edit/$id`, params: { id: String(made?.webhook_id ?? '') } })
        }}
      />
      <RecordForm
        form={form}
        saveLabel={id === null ? t('webhooks.create') : undefined}
        removal={edit.removal}
      >
        <FormSection title={t('webhooks.sections.target')} description={t('webhooks.sections.target_text')}>
          <TextField
            form={form}
            name="url"
            description={t('webhooks.url_hint')}
            placeholder="https://example.com/hooks/emma"
            maxLength={2000}
          />
          <TextField
            form={form}
            name="description"
            description={t('webhooks.description_hint')}
            maxLength={1000}
          />
          <SwitchField form={form} name="active" description={t('webhooks.active_hint')} />
        </FormSection>
        <FormSection title={t('webhooks.sections.events')} description={t('webhooks.sections.events_text')}>
          <EventPicker form={form} />
        </FormSection>
      </RecordForm>
    </>
  )
}

function webhookValues(record: Webhook | null): Pick<Webhook, 'url' | 'description' | 'events' | 'active'> {
  return {
    url: record?.url ?? '',
    description: record?.description ?? null,
    events: record?.events ?? [],
    active: record?.active ?? true,
  }
}
