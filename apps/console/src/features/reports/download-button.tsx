import { downloadReport } from '@emma/contract/actions/reports.ts'
import { saveAsFile } from '@emma/ui/list/list-csv.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'
import { showError } from '../../shell/i18n/error-text.ts'
import { usePermission } from '../../shell/session/use-session.ts'
import type { Who } from './report-query.ts'

interface DownloadButtonProps {
  campaignId: number
  /** Base name of the file. */
  name: string
  who: Who
}

/** Downloads the recipients of a report as CSV: delivery status, opens, clicks and unsubscribes. */
export function DownloadButton({ campaignId, name, who }: DownloadButtonProps): ReactNode {
  const { t } = useTranslation()
  const mayLook = usePermission({ all: ['EmmaMember:get'] })
  const download = useMutation({
    mutationFn: () => api.file(downloadReport, { params: { id: campaignId }, query: who }),
    onSuccess: file => saveAsFile(file, `${name}.csv`),
    onError: showError,
  })
  // The file contains email addresses.
  if (!mayLook) return null
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {t('reports.export.recipients')}
    </Button>
  )
}
