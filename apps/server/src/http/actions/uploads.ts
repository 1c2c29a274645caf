import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import * as audience from '@emma/contract/actions/audience.ts'
import { fieldError, EmmaError, invalid } from '@emma/contract/errors.ts'
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
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { uploadFolder } from '../../upload-folder.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { parseBody } from '../parse.ts'
import { readBytes } from '../read-body.ts'
import { parseObject, parsePart } from '../read-multipart.ts'
import { fault } from '@emma/contract/faults.ts'

/** Mounts uploads: receive the file, start, cancel, error file, quota. */
export function mountUploadActions(http: Http): void {
  const folder = uploadFolder(http.config)

  mountAction(http, audience.createUpload, async ({ db, actor, request }) => {
    const { data, file } = await readParts(request)
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

/** Maximum bytes of the parts before the file; browsers send a Blob of JSON as a file part. */
const PART_BYTES = 1_000_000

/**
 * Reads the parts of an upload in order: the JSON part `data` (or its fields as separate parts), and last the file,
 * which is not consumed here.
 */
async function readParts(
  request: FastifyRequest,
): Promise<{ data: audience.UploadData; file: MultipartFile }> {
  const fields: Record<string, unknown> = {}
  for await (const part of request.parts()) {
    if (part.type === 'file' && part.fieldname !== 'data') {
      const read = await readData(fields, part)
      return { data: read, file: part }
    }
    const text =
      part.type === 'file' ? (await readBytes(part.file, PART_BYTES)).bytes : Buffer.from(String(part.value))
    Object.assign(
      fields,
      part.fieldname === 'data'
        ? parseObject('data', text, PART_BYTES)
        : { [part.fieldname]: parsePart(text, PART_BYTES) },
    )
  }
  throw invalid([fieldError('file', 'field.required')])
}

async function readData(fields: Record<string, unknown>, part: MultipartFile): Promise<audience.UploadData> {
  try {
    return parseBody(audience.uploadData, fields)
  } catch (error) {
    part.file.resume()
    throw error
  }
}
