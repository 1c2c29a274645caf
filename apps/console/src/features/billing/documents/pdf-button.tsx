import { legalDocuments } from '@emma/contract/actions/legal-documents.ts'
import type { LegalKind } from '@emma/contract/legal-document.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { saveAsFile } from '@emma/ui/list/list-csv.ts'
import { Button } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../shell/i18n/error-text.ts'
import { api } from '../../../shell/session/api.ts'

interface PdfButtonProps {
  kind: LegalKind
  document: { id: number; version: string; pdf: { name: string; size: number } | null }
}

/** Downloads the PDF of a document, if it has one. */
export function PdfButton({ kind, document }: PdfButtonProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, version, pdf } = document
  const download = useMutation({
    mutationFn: () => api.file(legalDocuments[kind].downloadPdf, { params: { id } }),
    onSuccess: file => saveAsFile(file, pdf?.name ?? `${kind}-${version}.pdf`),
    onError: showError,
  })
  if (pdf === null) return null
  return (
    <Button
      variant="default"
      leftSection={<IconFileTypePdf size={16} stroke={1.6} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {t('billing.document.pdf_download', { size: format.bytes(pdf.size) })}
    </Button>
  )
}
