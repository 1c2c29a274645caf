import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { id, instant, line } from '../fields.ts'
import type { LegalKind } from '../legal-document.ts'
import { agb } from '../resources/agb.ts'
import { bav } from '../resources/bav.ts'
import { recordSchema } from '../resource-schemas.ts'
import { checkFault } from '../schema-faults.ts'

/** A published document, as every user reads it. */
const publishedDocument = z.object(agb.fields)
export type PublishedDocument = z.infer<typeof publishedDocument>

const confirmation = z.object({
  id,
  doc_id: id,
  version: z.string(),
  /** SHA-256 of the document as confirmed: all languages and the PDF. */
  sha256: z.string(),
  user_id: id.nullable(),
  name: z.string(),
  role: z.string(),
  confirmed_at: instant,
})
export type Confirmation = z.infer<typeof confirmation>

const clientConfirmation = confirmation.extend({ client_id: id, client_name: z.string() })
export type ClientConfirmation = z.infer<typeof clientConfirmation>

const pagination = z.object({ limit: z.int(), offset: z.int(), total: z.int() })
const page = z.object({
  limit: z.coerce.number().int().min(0).max(1000).default(100),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
})
const word = line(200).trim().min(1, checkFault('field.empty'))

interface Kind<Name extends string> {
  name: Name
  kind: LegalKind
}

/** The published document with the newest `valid_from` that is not in the future (T16). */
function latestDocument({ name, kind }: Kind<string>) {
  return defineAction({
    name,
    area: 'billing',
    paths: [`/v2/${kind}:latest`, `/v2/${kind}/:latest`],
    permission: null,
    response: publishedDocument,
  })
}

function downloadPdf({ name, kind }: Kind<string>) {
  return defineAction({
    name,
    area: 'billing',
    paths: [`/v2/${kind}/{id}/pdf`],
    permission: null,
    response: z.unknown(),
    answer: 'file',
  })
}

/** Multipart: the part `file`. Replaces the PDF of a draft. */
function uploadPdf({ name, kind }: Kind<string>) {
  return defineAction({
    name,
    area: 'billing',
    method: 'PUT',
    paths: [`/v2/${kind}/{id}/pdf`],
    permission: kind === 'agb' ? 'Agb:patch' : 'Bav:patch',
    superadminOnly: true,
    takesFile: true,
    response: recordSchema(agb),
    evicts: [kind],
  })
}

function removePdf({ name, kind }: Kind<string>) {
  return defineAction({
    name,
    area: 'billing',
    method: 'DELETE',
    paths: [`/v2/${kind}/{id}/pdf`],
    permission: kind === 'agb' ? 'Agb:patch' : 'Bav:patch',
    superadminOnly: true,
    response: recordSchema(agb),
    evicts: [kind],
  })
}

/** Clients that have confirmed a document, the last first. */
function documentConfirmations({ name, kind }: Kind<string>) {
  return defineAction({
    name,
    area: 'billing',
    paths: [`/v2/${kind}/{id}/confirm/`],
    permission: kind === 'agb' ? 'Agb:get' : 'Bav:get',
    superadminOnly: true,
    query: page,
    response: z.object({ data: z.array(clientConfirmation), pagination }),
  })
}

/** Confirmations of a client, the last first. */
function listConfirmations({ name, kind }: Kind<string>) {
  return defineAction({
    name,
    area: 'billing',
    paths: [`/v2/emma/client/{client_id}/${kind}-confirm`],
    permission: kind === 'agb' ? 'AgbConfirm:get' : 'BavConfirm:get',
    query: page,
    response: z.object({ data: z.array(confirmation), pagination }),
  })
}

/** Confirms the newest document for a client, once: a repeated call returns the confirmation that is there. */
function confirmDocument({ name, kind }: Kind<string>) {
  return defineAction({
    name,
    area: 'billing',
    method: 'POST',
    paths: [`/v2/emma/client/{client_id}/${kind}-confirm`],
    permission: kind === 'agb' ? 'AgbConfirm:post' : 'BavConfirm:post',
    body: z.strictObject({ doc_id: id, name: word, role: word }),
    response: confirmation,
    evicts: [`${kind}-confirm`],
  })
}

export const latestAgb = latestDocument({ name: 'latestAgb', kind: 'agb' })
export const latestBav = latestDocument({ name: 'latestBav', kind: 'bav' })
export const downloadAgbPdf = downloadPdf({ name: 'downloadAgbPdf', kind: 'agb' })
export const downloadBavPdf = downloadPdf({ name: 'downloadBavPdf', kind: 'bav' })
export const uploadAgbPdf = uploadPdf({ name: 'uploadAgbPdf', kind: 'agb' })
export const uploadBavPdf = uploadPdf({ name: 'uploadBavPdf', kind: 'bav' })
export const removeAgbPdf = removePdf({ name: 'removeAgbPdf', kind: 'agb' })
export const removeBavPdf = removePdf({ name: 'removeBavPdf', kind: 'bav' })
export const agbConfirmations = documentConfirmations({ name: 'agbConfirmations', kind: 'agb' })
export const bavConfirmations = documentConfirmations({ name: 'bavConfirmations', kind: 'bav' })
export const listAgbConfirms = listConfirmations({ name: 'listAgbConfirms', kind: 'agb' })
export const listBavConfirms = listConfirmations({ name: 'listBavConfirms', kind: 'bav' })
export const confirmAgb = confirmDocument({ name: 'confirmAgb', kind: 'agb' })
export const confirmBav = confirmDocument({ name: 'confirmBav', kind: 'bav' })

/** Resource and actions of each kind. */
export const legalDocuments = {
  agb: {
    resource: agb,
    latest: latestAgb,
    downloadPdf: downloadAgbPdf,
    uploadPdf: uploadAgbPdf,
    removePdf: removeAgbPdf,
    confirmations: agbConfirmations,
    listConfirms: listAgbConfirms,
    confirm: confirmAgb,
  },
  bav: {
    resource: bav,
    latest: latestBav,
    downloadPdf: downloadBavPdf,
    uploadPdf: uploadBavPdf,
    removePdf: removeBavPdf,
    confirmations: bavConfirmations,
    listConfirms: listBavConfirms,
    confirm: confirmBav,
  },
} as const
