import { z } from 'zod'

/** Fields that describe a message as data. */
export const codeFields = {
  code: z.string().optional(),
  values: z.record(z.string(), z.unknown()).optional(),
}

/** Fields for records that have a `code` of their own: `reason` is the code of `message`. */
export const reasonFields = {
  reason: z.string().optional(),
  values: z.record(z.string(), z.unknown()).optional(),
  message: z.string(),
}

/** A fault that is stored with a record. */
export const storedFault = z.object({ ...codeFields, message: z.string() })
