import { dataupload, uploadState } from '@emma/contract/resources/dataupload.ts'
import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import type { Upload } from './upload-calls.ts'
import { UploadMapping } from './upload-mapping.tsx'
import { UploadNew } from './upload-new.tsx'
import { UploadResult } from './upload-result.tsx'
import { UploadRunning } from './upload-running.tsx'
import { UploadBadge } from './upload-state.tsx'

/** Screen of an upload; shows mapping, progress or result, depending on its state. */
export default function UploadEdit(): ReactNode {
  const { t } = useTranslation()
  return (
    <RecordPage
      resource={dataupload}
      back="/subscribers/dataupload"
      title={record => record?.filename ?? t('audience.dataupload.new')}
      subtitle={record => <UploadBadge upload={record} />}
    >
      {record => <Stack gap="lg">{record ? <Part upload={record} /> : <UploadNew />}</Stack>}
    </RecordPage>
  )
}

function Part({ upload }: { upload: Upload }): ReactNode {
  if (upload.status <= uploadState.analysed) return <UploadMapping upload={upload} />
  if (upload.status === uploadState.running) return <UploadRunning upload={upload} />
  return <UploadResult upload={upload} />
}
