import { legalDocuments } from '@emma/contract/actions/legal-documents.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { line } from '@emma/contract/fields.ts'
import { type LegalKind, legalKinds, PDF_BYTES } from '@emma/contract/legal-document.ts'
import {
  confirmDocument,
  listConfirmations,
  listConfirmingClients,
} from '@emma/core/billing/confirm-document.ts'
import { readPdf, removePdf, storePdf } from '@emma/core/billing/document-pdf.ts'
import { readLatestDocument } from '@emma/core/billing/legal-document-operations.ts'
import { clientExists } from '@emma/core/files/file-host.ts'
import { z } from 'zod'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { presentPage } from '../page.ts'
import { readBytes } from '../read-body.ts'
import { unpacked } from '../read-multipart.ts'
import { readParts } from '../read-parts.ts'

/** Mounts what terms and data-processing agreements have besides their records: newest version, PDF, confirmations. */
export function mountLegalDocumentActions(http: Http): void {
  for (const kind of legalKinds) {
    mountPdf(http, kind)
    mountConfirmations(http, kind)
    mountAction(http, legalDocuments[kind].latest, ({ db }) => readLatestDocument(db, kind))
  }
}

function mountPdf(http: Http, kind: LegalKind): void {
  const { downloadPdf, uploadPdf, removePdf: removal } = legalDocuments[kind]

  mountAction(http, downloadPdf, async ({ db, actor, params, reply }) => {
    const { name, content } = await readPdf(db, actor, kind, params.id)
    return reply
      .type('application/pdf')
      .header('x-content-type-options', 'nosniff')
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
      .send(content)
  })

  mountAction(http, uploadPdf, async ({ db, actor, params, request }) => {
    const { file } = await readParts(request, z.strictObject({}))
    try {
      const { bytes } = await readBytes(unpacked(file.file), PDF_BYTES)
      return await storePdf(db, actor, kind, params.id, { name: nameOf(file.filename, kind), content: bytes })
    } finally {
      file.file.resume()
    }
  })

  mountAction(http, removal, ({ db, actor, params }) => removePdf(db, actor, kind, params.id))
}

function mountConfirmations(http: Http, kind: LegalKind): void {
  const { confirmations, listConfirms, confirm } = legalDocuments[kind]

  mountAction(http, confirmations, async ({ db, params, query }) => {
    const page = await listConfirmingClients(db, kind, params.id, query)
    return presentPage(page, query.limit, query.offset)
  })

  mountAction(http, listConfirms, async ({ db, params, query }) => {
    const page = await listConfirmations(db, kind, params.client_id, query)
    return presentPage(page, query.limit, query.offset)
  })

  mountAction(http, confirm, async ({ db, actor, params, body }) => {
    if (!(await clientExists(db, params.client_id))) throw new EmmaError('not_found')
    return confirmDocument(db, actor, kind, params.client_id, body)
  })
}

/** The name of an uploaded file, or that of the kind if it is not one short line. */
function nameOf(filename: string | undefined, kind: LegalKind): string {
  return line(200).safeParse(filename?.trim()).data || `${kind}.pdf`
}
