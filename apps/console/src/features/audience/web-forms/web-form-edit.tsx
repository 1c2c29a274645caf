import type { RecordOf } from '@emma/client/emma-client.ts'
import { webform } from '@emma/contract/resources/webform.ts'
import type { ReactNode } from 'react'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { WebFormBuilder } from './web-form-builder.tsx'

/** Builder of a web form (R088). */
export default function WebFormEdit(): ReactNode {
  return (
    <RecordPage resource={webform}>
      {(record: RecordOf<typeof webform> | null) => <WebFormBuilder record={record} />}
    </RecordPage>
  )
}
