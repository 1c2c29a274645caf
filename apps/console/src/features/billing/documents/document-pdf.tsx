import type { RecordOf } from '@emma/client/emma-client.ts'
import { legalDocuments } from '@emma/contract/actions/legal-documents.ts'
import { type LegalKind, PDF_BYTES } from '@emma/contract/legal-document.ts'
import type { agb } from '@emma/contract/resources/agb.ts'
import { confirm } from '@emma/ui/feedback/confirm.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { UploadBox } from '@emma/ui/upload/upload-box.tsx'
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../shell/i18n/error-text.ts'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { api } from '../../../shell/session/api.ts'
import { PdfButton } from './pdf-button.tsx'

interface DocumentPdfProps {
  kind: LegalKind
  /** Null: a new draft, which has to be saved first. */
  document: RecordOf<typeof agb> | null
}

/** The PDF of a draft: upload, download, removal. */
export function DocumentPdf({ kind, document }: DocumentPdfProps): ReactNode {
  const { t } = useTranslation()
  const { resource, uploadPdf, removePdf } = legalDocuments[kind]
  if (document === null) return <Text c="dimmed">{t('billing.document.pdf_after_save')}</Text>
  const { id, version, pdf } = document

  async function remove(): Promise<void> {
    const isWanted = await confirm({
      title: t('billing.document.pdf_remove_title', { name: pdf?.name ?? '' }),
      confirmLabel: t('billing.document.pdf_remove'),
      danger: true,
    })
    if (!isWanted) return
    await api.call(removePdf, { params: { id } })
    await refresh(resource)
  }

  return (
    <Stack gap="sm">
      {pdf && (
        <Group gap="xs">
          <PdfButton kind={kind} document={{ id, version, pdf }} />
          <Button
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={16} />}
            onClick={() => void remove().catch(showError)}
          >
            {t('billing.document.pdf_remove')}
          </Button>
        </Group>
      )}
      <UploadBox
        accept={['.pdf']}
        maxSize={PDF_BYTES}
        upload={(file, { onProgress, signal }) =>
          api.upload(uploadPdf, {
            params: { id },
            file,
            filename: file.name,
            signal,
            onProgress: ({ share }) => onProgress(share),
          })
        }
        onUploaded={(_, file) => {
          notify.success(t('billing.document.pdf_uploaded', { name: file.name }))
          void refresh(resource)
        }}
        hint={pdf && t('billing.document.pdf_replaces')}
      />
    </Stack>
  )
}
