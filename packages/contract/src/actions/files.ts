import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { flag, line, queryText } from '../fields.ts'
import { FILE_LIMITS } from '../file-storage.ts'

/** What the file manager needs beyond the FSP protocol (file-storage.ts): search, bin, alt text, usage. */

const storedFile = z.object({
  file_id: z.int(),
  folder: z.string(),
  name: z.string(),
  is_folder: z.boolean(),
  mime_type: z.string().nullable(),
  size: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  alt: z.string().nullable(),
  public_url: z.string().nullable(),
  thumbnail: z.string().nullable(),
  updated_at: z.string(),
  deleted_at: z.string().nullable(),
})

/** A file or folder of the file manager. `folder`: path of its folder within the client's files, `/a/b/`. */
export type StoredFile = z.infer<typeof storedFile>

function pixels(min: number) {
  return z.int().min(min).max(FILE_LIMITS.imagePixels)
}

const filePath = '/v2/emma/client/{client_id}/file'

/** Searches names and alt texts in all folders, or lists the bin. */
export const listFiles = defineAction({
  name: 'listFiles',
  area: 'content',
  paths: [filePath],
  permission: 'CloudStorage:get',
  query: z.object({
    search: queryText.optional(),
    deleted: flag.optional(),
    limit: z.coerce.number().int().min(1).max(500).default(100),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  }),
  response: z.object({ data: z.array(storedFile), total: z.int() }),
})

/** Changes the alternative text, which new images in templates take over. */
export const describeFile = defineAction({
  name: 'describeFile',
  area: 'content',
  method: 'PATCH',
  paths: [`${filePath}/{id}`],
  permission: 'CloudStorage:patch',
  body: z.strictObject({ alt: line(500).nullable() }),
  response: storedFile,
  evicts: ['file'],
})

/** Restores a file or folder from the bin, with a new name if its name is in use again. */
export const restoreFile = defineAction({
  name: 'restoreFile',
  area: 'content',
  method: 'POST',
  paths: [`${filePath}/{id}/restore`],
  permission: 'CloudStorage:delete',
  response: storedFile,
  evicts: ['file'],
})

/** Pixels of the image: the part that is kept, then the width that it is scaled down to. */
export const imageEdit = z.strictObject({
  crop: z
    .strictObject({ left: pixels(0), top: pixels(0), width: pixels(1), height: pixels(1) })
    .nullable()
    .default(null),
  width: pixels(1).nullable().default(null),
})

export type ImageEdit = z.infer<typeof imageEdit>

/** Crops and scales an image. The result is a new file beside it, or replaces it in all templates. */
export const editImage = defineAction({
  name: 'editImage',
  area: 'content',
  method: 'POST',
  paths: [`${filePath}/{id}/edit`],
  permission: 'CloudStorage:post',
  slow: true,
  body: imageEdit.extend({ replace: z.boolean().default(false) }),
  response: storedFile,
  evicts: ['file', 'message'],
})

/** Templates whose source contains the file's public URL, at most 100. */
export const fileUsage = defineAction({
  name: 'fileUsage',
  area: 'content',
  paths: [`${filePath}/{id}/usage`],
  permission: 'CloudStorage:get',
  alsoNeeds: ['EmmaMessage:get'],
  slow: true,
  response: z.object({ templates: z.array(z.object({ message_id: z.int(), name: z.string() })) }),
})
