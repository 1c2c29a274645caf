import type { RecordOf } from '@emma/client/emma-client.ts'
import { legalDocuments } from '@emma/contract/actions/legal-documents.ts'
import { GRACE_DAYS, type LegalKind } from '@emma/contract/legal-document.ts'
import type { agb } from '@emma/contract/resources/agb.ts'
import { confirm } from '@emma/ui/feedback/confirm.tsx'
import { DateField } from '@emma/ui/form/fields/date-time-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../shell/i18n/error-text.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { dayInstant } from './day-instant.ts'
import { DocumentPdf } from './document-pdf.tsx'
import { DocumentState } from './document-state.tsx'
import { documentFields, DocumentTexts } from './document-texts.tsx'
import { PublishedDocument } from './published-document.tsx'

type LegalDocument = RecordOf<typeof agb>

/** Form of a draft; a published version is shown with the clients that have confirmed it. */
export default function DocumentEdit({ kind }: { kind: LegalKind }): ReactNode {
  const { t } = useTranslation()
  return (
    <RecordPage
      resource={legalDocuments[kind].resource}
      title={record =>
        record ? t(`billing.${kind}.version_title`, { version: record.version }) : t('billing.document.new')
      }
      subtitle={record => <DocumentState document={record} />}
    >
      {record =>
        record?.published ? (
          <PublishedDocument kind={kind} document={record} />
        ) : (
          <DocumentForm kind={kind} record={record} />
        )
      }
    </RecordPage>
  )
}

function DocumentForm({ kind, record }: { kind: LegalKind; record: LegalDocument | null }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const text = (key: string) => t(`billing.document.${key}`)
  // Publishes in the same call as unsaved changes, with the revision that is shown.
  const isPublishing = useRef(false)
  const form = useResourceForm(legalDocuments[kind].resource, record, {
    fields: documentFields,
    texts: 'billing.document',
    required: documentFields,
    afterCreate: 'record',
    saving: send => send(isPublishing.current ? { published: true } : {}),
  })

  async function publish(): Promise<void> {
    const { version, valid_from: day } = form.values
    const isWanted = await confirm({
      title: t('billing.document.publish_title', { version }),
      text: t('billing.document.publish_text', {
        day: day === null ? '' : format.date(dayInstant(day)),
        days: GRACE_DAYS,
      }),
      confirmLabel: t('billing.document.publish'),
    })
    if (!isWanted) return
    isPublishing.current = true
    const isSaved = await form.submit().finally(() => {
      isPublishing.current = false
    })
    // The published version is another page, which begins at its top.
    if (isSaved) scrollTo(0, 0)
  }

  return (
    <RecordForm
      form={form}
      saveLabel={text('save')}
      actions={
        record && (
          <Button variant="default" disabled={form.isSaving} onClick={() => void publish().catch(showError)}>
            {text('publish_ask')}
          </Button>
        )
      }
    >
      <FormSection title={text('sections.version')} description={text('sections.version_text')}>
        <FormRow>
          <TextField form={form} name="version" maxLength={50} description={text('version_hint')} />
          <DateField
            form={form}
            name="valid_from"
            isClearable={false}
            description={text('valid_from_hint')}
          />
        </FormRow>
      </FormSection>
      <FormSection title={text('sections.texts')} description={text('sections.texts_text')}>
        <DocumentTexts form={form} />
      </FormSection>
      <FormSection title={text('sections.pdf')} description={text('sections.pdf_text')}>
        <DocumentPdf kind={kind} document={record} />
      </FormSection>
    </RecordForm>
  )
}
