import { ATTACHMENT_LIMITS } from '@emma/contract/attachments.ts'
import { fault } from '@emma/contract/faults.ts'
import { type FileStorage, keyOfPath } from '@emma/core/files/store-file.ts'
import type { MailAttachment } from '@emma/mail/mime/attachment-part.ts'
import { CampaignFault, type CampaignSnapshot, variantSnapshots } from './campaign-snapshot.ts'

/**
 * Reads the files that the messages of a snapshot attach, by variant. The content of a path never changes: a replaced
 * file has another one.
 * @throws CampaignFault for a file that is gone, or more bytes than possible
 */
export function readAttachments(
  storage: Pick<FileStorage, 'get'> | undefined,
  snapshot: CampaignSnapshot,
): Promise<MailAttachment[][]> {
  return Promise.all(variantSnapshots(snapshot).map(({ message }) => readFiles(storage, message)))
}

async function readFiles(
  storage: Pick<FileStorage, 'get'> | undefined,
  message: CampaignSnapshot['message'],
): Promise<MailAttachment[]> {
  const read: MailAttachment[] = []
  let room: number = ATTACHMENT_LIMITS.totalBytes
  for (const { path, name, mime_type: type } of message.attachments ?? []) {
    const stream = await storage?.get(keyOfPath(path))
    if (!stream) throw new CampaignFault(fault('campaign.attachment_gone', { name }))
    const content = await readWithin(stream, room)
    if (content === null) throw new CampaignFault(fault('campaign.attachments_large', { max: LARGEST }))
    room -= content.length
    read.push({ name, type, content })
  }
  return read
}

const LARGEST = ATTACHMENT_LIMITS.totalBytes / 1_000_000

/** Null if there are more bytes. */
async function readWithin(stream: NodeJS.ReadableStream, bytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const piece = Buffer.from(chunk)
    size += piece.length
    if (size > bytes) return null
    chunks.push(piece)
  }
  return Buffer.concat(chunks)
}
