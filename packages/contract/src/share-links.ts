import { z } from 'zod'
import { id, instant } from './fields.ts'

/** A link that shows a record without login. */
export const shareLink = z.object({
  share_id: id,
  created_at: instant,
  expires_at: instant,
  seen_at: instant.nullable(),
})
export type ShareLink = z.infer<typeof shareLink>

/** Valid links of a record, newest first. */
export const shareLinks = z.object({ data: z.array(shareLink) })

/** A link as it is created: the secret is returned this once. */
export const newShareLink = shareLink.extend({ secret: z.string() })

/** Validity of a new link in days. */
export const linkDays = z.int().min(1).max(365).default(30)

/** Query of a request without a session. */
export const linkSecret = z.object({ secret: z.string().max(100).default('') })
