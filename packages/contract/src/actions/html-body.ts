import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { codeFields } from '../fault-fields.ts'
import { id, text } from '../fields.ts'
import { jsonObject } from '../json-object.ts'

/** Most characters of a template's source. */
export const SOURCE_CHARACTERS = 2_000_000

const importedImage = z.object({
  /** As a browser reads it in the source. */
  url: z.string(),
  /** URL in the file manager; null if the image was not stored. */
  stored_url: z.string().nullable(),
})

export const htmlBodyRequest = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
  html: text(SOURCE_CHARACTERS).optional(),
  client_id: id.nullish(),
  /** Copies the rules of style elements into style attributes. */
  inline_css: z.boolean().default(true),
  /** Stores the images in the file manager, all or none, and shows them from there. */
  store_images: z.boolean().default(false),
})

/**
 * Reads a template from a page, HTML, a design of Beefree (JSON, as `html`) or a ZIP archive (multipart, R249). URLs of pages become absolute. What could not
 * be imported is in `warnings`.
 */
export const readHtmlBody = defineAction({
  name: 'readHtmlBody',
  area: 'content',
  method: 'POST',
  paths: ['/tools/htmlbody/'],
  permission: 'HtmlBody:post',
  perMinute: 30,
  largeBody: true,
  takesFile: 'or_json',
  body: htmlBodyRequest,
  response: z.object({
    /** The source, in its format. */
    html: z.string(),
    format: z.enum(['html', 'mjml']),
    text: z.string(),
    title: z.string(),
    images: z.array(importedImage),
    links: z.array(z.object({ url: z.string(), name: z.string() })),
    warnings: z.array(z.object({ ...codeFields, message: z.string() })),
    /** The design that the HTML was made from; null unless one of Beefree was imported. */
    bee_json: jsonObject(SOURCE_CHARACTERS).nullable(),
  }),
  evicts: ['file'],
})
