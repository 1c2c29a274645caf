import { downloadReport } from '@emma/contract/actions/reports.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/api.ts'
import { showError } from '../../shell/error-text.ts'
import type { Who } from './report-query.ts'

interface DownloadButtonProps {
  campaignId: number
  /** Becomes the name of the file. */
  name: string
  who: Who
}

/** The people of a report as a CSV file, with what became of each mail. */
export function DownloadButton({ campaignId, name, who }: DownloadButtonProps): ReactNode {
  const { t } = useTranslation()
  const download = useMutation({
    mutationFn: () => api.file(downloadReport, { params: { id: campaignId }, query: who }),
    onSuccess: file => saveFile(file, `${name}.csv`),
    onError: showError,
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {t('reports.download')}
    </Button>
  )
}

function saveFile(file: Blob, filename: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  URL.revokeObjectURL(url)
}
