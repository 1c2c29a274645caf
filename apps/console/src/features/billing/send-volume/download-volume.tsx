import { downloadSendVolume, type MonthVolume } from '@emma/contract/actions/send-volume.ts'
import { saveAsFile } from '@emma/ui/list/list-csv.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../shell/i18n/error-text.ts'
import { api } from '../../../shell/session/api.ts'
import { useClientId } from '../../../shell/session/use-session.ts'

/** Downloads the shown months as CSV. */
export function DownloadVolume({ months }: { months: readonly MonthVolume[] }): ReactNode {
  const { t } = useTranslation()
  const clientId = useClientId()
  const period = { from: months.at(-1)?.invoice_month, to: months[0]?.invoice_month }
  const download = useMutation({
    mutationFn: () => api.file(downloadSendVolume, { params: { client_id: clientId }, query: period }),
    onSuccess: file => saveAsFile(file, `send-volume-${period.from}-${period.to}.csv`),
    onError: showError,
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {t('billing.send_volume.download')}
    </Button>
  )
}
