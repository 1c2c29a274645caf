import type { RecordOf } from '@emma/client/emma-client.ts'
import {
  cancelUpload,
  countUploadUndo,
  startUpload,
  undoUpload,
  type UploadUndo,
  uploadErrors,
} from '@emma/contract/actions/audience.ts'
import { dataupload } from '@emma/contract/resources/dataupload.ts'
import { saveAsFile } from '@emma/ui/list/list-csv.ts'
import { api } from '../../../shell/session/api.ts'
import { t } from 'i18next'
import { refresh } from '../../../shell/resource/record-calls.ts'

export type Upload = RecordOf<typeof dataupload>
export type UploadChange = Partial<
  Pick<Upload, 'mode' | 'delimiter' | 'charset' | 'mapping' | 'test' | 'empty_bad_cells'>
>

/** Patches how a file is read; another delimiter or charset gives another header and sample. */
export async function changeUpload(upload: Upload, change: UploadChange): Promise<Upload> {
  const changed = await api.patch(dataupload, upload.id, change, { revision: upload.revision })
  await refresh(dataupload)
  return changed
}

/** Saves the settings and starts the import, or a test import (`test: true`), which writes nothing. */
export async function beginUpload(upload: Upload, change: UploadChange): Promise<void> {
  await api.patch(dataupload, upload.id, change, { revision: upload.revision })
  try {
    await api.call(startUpload, { params: { id: upload.id } })
  } finally {
    await refresh(dataupload)
  }
}

export async function stopUpload(id: number): Promise<void> {
  await api.call(cancelUpload, { params: { id } })
  await refresh(dataupload)
}

/** Fetches what an undo of the import would change now. */
export function countUndo(id: number): Promise<UploadUndo> {
  return api.call(countUploadUndo, { params: { id }, ignoreCache: true })
}

export async function startUndo(id: number): Promise<void> {
  try {
    await api.call(undoUpload, { params: { id } })
  } finally {
    await refresh(dataupload)
  }
}

/** Downloads a CSV of the rows that were not imported, with their reasons. */
export async function saveErrorFile(upload: Upload): Promise<void> {
  const file = await api.file(uploadErrors, { params: { id: upload.id } })
  saveAsFile(file, `${upload.filename.replace(/\.[^.]*$/, '')}-${t('error_file.suffix')}.csv`)
}
