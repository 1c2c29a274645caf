import type { RecordOf } from '@emma/client/emma-client.ts'
import { message } from '@emma/contract/resources/message.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { RecordForm } from '@emma/ui/form/record-form.tsx'
import { useRecordForm } from '@emma/ui/form/use-record-form.ts'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { reloadRecord, removeRecord, saveRecord } from '../../shell/record-calls.ts'
import { RecordPage } from '../../shell/record-page.tsx'
import { useFieldLabels } from '../../shell/use-field-labels.ts'
import { useRights } from '../../shell/use-rights.ts'
import classes from './content.module.css'
import { TemplateFields, templateFields, templateValues } from './template-fields.tsx'
import { TemplatePreview } from './template-preview.tsx'
import { TestSend } from './test-send.tsx'

type Message = RecordOf<typeof message>

const path = '/templates/archive'

/** One template, or a new one: its source at the left, the mail it makes at the right. */
export default function TemplateEdit(): ReactNode {
  const { t } = useTranslation()
  return (
    <RecordPage resource={message} back={path} title={record => record?.name ?? t('content.message.new')}>
      {(record, id) => <TemplateForm record={record} id={id} />}
    </RecordPage>
  )
}

function TemplateForm({ record, id }: { record: Message | null; id: number | null }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { mayDelete } = useRights(message)
  const toList = () => void navigate({ to: path })
  const form = useRecordForm({
    resource: message,
    recordKey: id,
    record,
    toValues: templateValues,
    labels: useFieldLabels(message, templateFields),
    required: ['name', 'subject', ['body_mjml', 'body_long', 'body_text']],
    save: (values, change) => saveRecord(message, id, values, change),
    ...(id === null ? {} : { reload: () => reloadRecord(message, id) }),
    onSaved: saved => {
      notify.success(t('action.saved', { name: saved.name }))
      if (id === null)
        void navigate({ to: '/templates/edit/$id', params: { id: String(saved.message_id) }, replace: true })
    },
  })
  return (
    <RecordForm
      form={form}
      removal={
        record && mayDelete
          ? { name: record.name, run: () => removeRecord(message, record.message_id), onRemoved: toList }
          : undefined
      }
    >
      <div className={classes.split}>
        <TemplateFields form={form} />
        <div className={classes.beside}>
          <TemplatePreview messageId={id ?? 0} values={form.values} />
          {id !== null && <TestSend messageId={id} isDirty={form.isDirty} />}
        </div>
      </div>
    </RecordForm>
  )
}
