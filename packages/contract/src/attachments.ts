import { z } from 'zod'
import { count, line } from './fields.ts'
import { checkFault } from './schema-faults.ts'

export const ATTACHMENT_LIMITS = {
  count: 10,
  nameCharacters: 150,
  /** Of all attachments, before encoding. */
  totalBytes: 5_000_000,
  /** Size of a whole mail above which the check warns: filters and mail servers distrust large bulk mail. */
  warnedMailBytes: 1_000_000,
} as const

/** Content-ID (RFC 2392) of an image that HTML shows as `cid:…`, without angle brackets. */
export const contentId = z
  .string()
  .max(200)
  .regex(/^[\w!#$%&'*+/=?^`{|}~.@-]+$/, checkFault('field.invalid'))

/** A file of the file manager that is attached to a message. Type and size follow from the file. */
export const attachment = z.strictObject({
  /** Path of its public URL, of the client's files or the shared ones. */
  path: line(120).regex(/^\/files\/\d{1,15}\/[\w-]{1,64}\.[a-z]{1,5}$/, checkFault('field.invalid')),
  /** File name in the mail, with the extension of its type. */
  name: line(ATTACHMENT_LIMITS.nameCharacters).trim().min(1, checkFault('field.empty')),
  mime_type: line(100).default(''),
  size: count.default(0),
})

export type Attachment = z.infer<typeof attachment>

export const attachments = z.array(attachment).max(ATTACHMENT_LIMITS.count)
