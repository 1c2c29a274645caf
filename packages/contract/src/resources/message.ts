import { z } from 'zod'
import { attachments } from '../attachments.ts'
import { reasonFields } from '../fault-fields.ts'
import { defineResource } from '../define-resource.ts'
import { languageVersions, messageLanguages } from '../message-languages.ts'
import { count, flag, id, line, name, text } from '../fields.ts'
import { jsonObject } from '../json-object.ts'

/** Charsets of mails. All but UTF-8 have one byte per character. */
export const mailCharsets = [
  'utf-8',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-15',
  'windows-1250',
  'windows-1251',
  'windows-1252',
] as const

const messageTypes = ['html', 'text', 'multipart', 'bee', 'amp'] as const

/** A row of a message's link table; `link_index` is its number in tracking links. */
const messageLink = z.object({
  link_index: count,
  name: z.string().max(255),
  url: z.string().max(8000),
  is_active: z.boolean(),
})

/** A message (template). Its source is `body_long` (HTML) or `body_mjml`; an empty `body_text` is generated. */
export const message = defineResource({
  name: 'message',
  area: 'content',
  entity: 'EmmaMessage',
  key: 'message_id',
  label: 'name',
  paths: ['/emma/message/', '/templates/'],
  tenant: true,
  largeBody: true,
  /** The bin of templates: 30 days. */
  restorableMinutes: 30 * 24 * 60,
  fields: {
    message_id: id,
    name,
    /** Forms send null for an empty text (R169). */
    subject: line(998)
      .nullable()
      .transform(value => value ?? '')
      .default(''),
    preheader: line(500).nullable(),
    message_type: z.enum(messageTypes).default('multipart'),
    template_type: z.enum(['email', 'page']).default('email'),
    is_template: z.boolean().default(true),
    body_long: text(2_000_000).nullable(),
    body_mjml: text(2_000_000).nullable(),
    body_text: text(500_000).nullable(),
    /** The design in Beefree's format that the HTML was exported from. */
    bee_json: jsonObject(2_000_000).nullable(),
    /** Language of people who have chosen none, or one that the message does not have. */
    lang: z.enum(messageLanguages).default('en'),
    languages: languageVersions.default([]),
    /** A mail with characters that it lacks is sent as UTF-8. */
    charset: z.enum(mailCharsets).default('utf-8'),
    attachments: attachments.default([]),
    is_tracked: z.boolean().default(true),
    /** Links with their tracking switch; only `is_active` and `name` are writable, matched by `link_index`. */
    urls: z.array(messageLink),
    warnings: z.array(z.object({ code: z.string(), ...reasonFields })),
    category: line(100).nullable(),
    collection: line(100).nullable(),
    screenshot: z.object({ url_large: z.string(), url_small: z.string() }).nullable(),
    user_id: id.nullable(),
  },
  readOnly: ['warnings', 'screenshot', 'user_id'],
  required: { create: ['name'] },
  filters: {
    template_type: { operator: 'eq', value: z.enum(['email', 'page']) },
    type: { operator: 'eq', column: 'message_type', value: z.enum(messageTypes) },
    category: { operator: 'eq', value: line(100) },
    collection: { operator: 'eq', value: line(100) },
    doi_link: { operator: 'special', value: flag },
    /** Occurs in the name, the subject or the contents. */
    text: { operator: 'special', value: line(200) },
  },
  search: ['name', 'subject'],
  sort: ['name', 'subject'],
  included: {},
})

/** Required fields of the template form (R282); content in one of its formats. */
export const requiredOfTemplate = ['name', 'subject', ['body_mjml', 'body_long', 'body_text']] as const
