import { readMailAttachments, sizeOfAttachments } from '@emma/core/transactional/read-mail-values.ts'
import type { Db } from '@emma/db/connection.ts'
import type { MailAttachment } from '@emma/mail/mime/attachment-part.ts'
import type { ClaimedRow } from '../model/outcome.ts'

/** Bytes of attachments that emails in flight have of their own; a single larger email is sent alone. */
const MOST_BYTES = 32_000_000

/** Attachments of an email; `release` once it is sent. */
interface OwnAttachments {
  files: readonly MailAttachment[]
  release(): void
}

interface Store {
  sizeOf(clientId: number, mailId: number): Promise<number>
  read(clientId: number, mailId: number): Promise<MailAttachment[]>
}

export function attachmentStore(db: Db): Store {
  return {
    sizeOf: (clientId, mailId) => sizeOfAttachments(db, clientId, mailId),
    read: (clientId, mailId) => readMailAttachments(db, clientId, mailId),
  }
}

/** Reads the attachments that emails have of their own, while there is room for them in memory. */
export class OwnAttachmentsReader {
  readonly #store: Store
  #bytes = 0
  #waiting: (() => void)[] = []

  constructor(store: Store) {
    this.#store = store
  }

  async read(
    clientId: number,
    { memberId }: Pick<ClaimedRow, 'memberId'>,
    hasAttachments: boolean | undefined,
  ): Promise<OwnAttachments> {
    if (!hasAttachments) return { files: [], release() {} }
    const size = await this.#store.sizeOf(clientId, memberId)
    while (this.#bytes > 0 && this.#bytes + size > MOST_BYTES)
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    this.#bytes += size
    const release = () => {
      this.#bytes -= size
      for (const resume of this.#waiting.splice(0)) resume()
    }
    try {
      return { files: await this.#store.read(clientId, memberId), release }
    } catch (error) {
      release()
      throw error
    }
  }
}
