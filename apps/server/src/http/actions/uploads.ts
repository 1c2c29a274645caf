import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import * as audience from '@emma/contract/actions/audience.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { readQuota } from '@emma/core/audience/uploads/quota.ts'
import { previewUpload } from '@emma/core/audience/uploads/preview-upload.ts'
import { readUpload } from '@emma/core/audience/uploads/read-upload.ts'
import { countUndo, startUndo } from '@emma/core/audience/uploads/undo-upload.ts'
import {
  cancelUpload,
  datauploadOperations,
  startUpload,
  takeUpload,
} from '@emma/core/audience/uploads/upload-operations.ts'
import { assertMayImport, presentUpload } from '@emma/core/audience/uploads/upload-rights.ts'
import { ownClient, accessibleClients } from '@emma/core/resource/actor.ts'
import { uploadFolder } from '../../upload-folder.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { readParts } from '../read-parts.ts'
import { fault } from '@emma/contract/faults.ts'

/** Mounts uploads: receive the file, start, cancel, error file, quota. */
export function mountUploadActions(http: Http): void {
  const folder = uploadFolder(http.config)

  mountAction(http, audience.createUpload, async ({ db, actor, request }) => {
    const { data, file } = await readParts(request, audience.uploadData)
    try {
      if (data.mode) assertMayImport(actor, { ...data, mode: data.mode })
    } catch (error) {
      file.file.resume()
      throw error
    }
    const name = data.filename ?? file.filename ?? 'upload.csv'
    return takeUpload(db, actor, folder, data, name, file.file)
  })

  mountAction(http, audience.previewUpload, ({ db, actor, params, body }) =>
    previewUpload(db, accessibleClients(actor), folder, params.id, body ?? {}),
  )

  mountAction(http, audience.startUpload, async ({ db, actor, params }) => {
    assertMayImport(actor, await readUpload(db, accessibleClients(actor), params.id))
    return presentUpload(actor, await startUpload(db, actor, accessibleClients(actor), folder, params.id))
  })

  mountAction(http, audience.cancelUpload, async ({ db, actor, params }) =>
    presentUpload(actor, await cancelUpload(db, actor, accessibleClients(actor), params.id)),
  )

  mountAction(http, audience.countUploadUndo, ({ db, actor, params }) =>
    countUndo(db, accessibleClients(actor), params.id),
  )

  mountAction(http, audience.undoUpload, async ({ db, actor, params }) => {
    await startUndo(db, actor, accessibleClients(actor), params.id)
    return presentUpload(
      actor,
      await datauploadOperations(folder).find(db, actor, accessibleClients(actor), params.id),
    )
  })

  mountAction(http, audience.uploadErrors, async ({ db, actor, params, reply }) => {
    const upload = await readUpload(db, accessibleClients(actor), params.id)
    if (upload.error_file === null) throw new EmmaError('not_found', fault('refusal.upload_no_errors'))
    const name = `${upload.filename.replace(/\.[^.]*$/, '')}-errors.csv`
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
      .send(createReadStream(join(folder, upload.error_file)))
  })

  mountAction(http, audience.uploadQuota, ({ db, actor, query }) =>
    readQuota(db, ownClient(actor, query.client_id)),
  )
}
