import { webhook } from '@emma/contract/resources/webhook.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useResourceForm } from '../../shell/resource/use-resource-form.ts'
import { EventPicker } from './event-picker.tsx'
import { SecretDialog } from '../../shell/layout/secret-dialog.tsx'
import type { Webhook } from './webhook-state.tsx'

/** Form of a webhook. Shows the secret once, after creation or a change of the URL. */
export function WebhookForm({ record }: { record: Webhook | null }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [made, setMade] = useState<Webhook | null>(null)
  const form = useResourceForm(webhook, record, {
    fields: ['url', 'description', 'events', 'active'],
    texts: 'webhooks',
    validate: ({ url }) => ({ url: url === '' || URL.canParse(url) ? null : t('webhooks.url_rule') }),
    afterCreate: 'stay',
    // A changed URL gets a new secret.
    onSaved: saved => {
      if (record === null || saved.secret !== null) setMade(saved)
    },
  })
  return (
    <>
      <SecretDialog
        secret={made?.secret ?? null}
        title={t('webhooks.secret.title')}
        copyLabel={t('webhooks.secret.copy')}
        text={t(form.isNew ? 'webhooks.secret.made' : 'webhooks.secret.moved')}
        onClose={() => {
          setMade(null)
          if (form.isNew) void navigate({ to: `/settings/webhooks/edit/${made?.webhook_id ?? ''}` })
        }}
      />
      <RecordForm form={form} saveLabel={form.isNew ? t('webhooks.create') : undefined}>
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
