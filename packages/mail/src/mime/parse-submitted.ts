import PostalMime, { type Address, decodeWords } from 'postal-mime'

interface SubmittedAttachment {
  filename: string
  type: string
  content: Uint8Array
  /** Without angle brackets; null without one. */
  contentId: string | null
}

/** A message that a program submits (RFC 6409), as far as it is sent. */
export interface SubmittedMail {
  /** Address of the From field; null without one. */
  from: string | null
  replyTo: string | null
  /** Without angle brackets; null without one. */
  messageId: string | null
  subject: string
  /** Empty without such a part. */
  html: string
  text: string
  attachments: SubmittedAttachment[]
  /** Value of the header X-EMMA-Data; null without one. */
  data: string | null
}

const MOST_NESTING = 50
const MOST_HEADER_BYTES = 256 * 1024

/** Parses a message that a program submits. @throws if it is nested too deeply, or its headers are too long */
export async function parseSubmitted(source: Uint8Array): Promise<SubmittedMail> {
  const mail = await PostalMime.parse(source, {
    attachmentEncoding: 'arraybuffer',
    maxNestingDepth: MOST_NESTING,
    maxHeadersSize: MOST_HEADER_BYTES,
  })
  const data = mail.headers.find(({ key }) => key === 'x-emma-data')?.value ?? null
  return {
    from: addressOf(mail.from),
    replyTo: addressOf(mail.replyTo?.[0]),
    messageId: withoutBrackets(mail.messageId),
    subject: mail.subject ?? '',
    html: mail.html ?? '',
    text: mail.text ?? '',
    attachments: mail.attachments.map(({ filename, mimeType, content, contentId }, index) => ({
      filename: filename ?? `attachment-${index + 1}`,
      type: mimeType,
      content: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
      contentId: withoutBrackets(contentId),
    })),
    data: data === null ? null : decodeWords(data),
  }
}

function withoutBrackets(id: string | undefined): string | null {
  return id?.trim().replaceAll(/^<|>$/g, '') ?? null
}

function addressOf(address: Address | undefined): string | null {
  return address?.address ? address.address : null
}
