import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { line } from '../fields.ts'
import { message } from '../resources/message.ts'
import { checkFault } from '../schema-faults.ts'

/** Fields of a message that its versions keep. */
export const versionFields = [
  'name',
  'lang',
  'charset',
  'languages',
  'category',
  'collection',
  'message_type',
  'subject',
  'preheader',
  'body_mjml',
  'body_long',
  'body_text',
  'attachments',
  'bee_json',
  'is_tracked',
  'urls',
] as const

const { name, lang, charset, languages, category, collection, message_type, subject, preheader } =
  message.fields
const { body_mjml, body_long, body_text, attachments, bee_json, is_tracked, urls } = message.fields

const content = z.object({
  name,
  lang,
  charset,
  languages,
  category,
  collection,
  message_type,
  subject,
  preheader,
  body_mjml,
  body_long,
  body_text,
  attachments,
  bee_json,
  is_tracked,
  urls,
})

const version = z.object({
  version_id: z.int(),
  /** Given by a user; such versions are kept when old ones are deleted. */
  name: z.string().nullable(),
  /** Revision of the message in this state. */
  revision: z.int(),
  user_id: z.int().nullable(),
  /** Name of the user; empty: EMMA itself, or a deleted user. */
  user: z.string(),
  began_at: z.string(),
  saved_at: z.string(),
  /** Fields that differ from the version before; null for the first one. */
  changed: z.array(z.string()).nullable(),
  /** The version that was restored. */
  restored_from: z.int().nullable(),
  /** Characters of the content. */
  size: z.int(),
})

export type MessageVersion = z.infer<typeof version>
export type VersionContent = z.infer<typeof content>

const path = '/v2/emma/client/{client_id}/message/{id}/version'

/** Versions of a message, the current one first. */
export const listMessageVersions = defineAction({
  name: 'listMessageVersions',
  area: 'content',
  paths: [path],
  permission: 'EmmaMessage:get',
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(200),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  }),
  response: z.object({ data: z.array(version), total: z.int() }),
})

export const readMessageVersion = defineAction({
  name: 'readMessageVersion',
  area: 'content',
  paths: [`${path}/{version_id}`],
  permission: 'EmmaMessage:get',
  response: version.extend({ content }),
})

/** Most named versions of a message. */
export const MAX_NAMED_VERSIONS = 100

/** Names a version, or takes its name away. */
export const nameMessageVersion = defineAction({
  name: 'nameMessageVersion',
  area: 'content',
  method: 'PATCH',
  paths: [`${path}/{version_id}`],
  permission: 'EmmaMessage:patch',
  body: z.object({ name: line(100).trim().min(1, checkFault('field.required')).nullable() }),
  response: version,
})

/** Saves the content of a version again, as a new version. */
export const restoreMessageVersion = defineAction({
  name: 'restoreMessageVersion',
  area: 'content',
  method: 'POST',
  paths: [`${path}/{version_id}/restore`],
  permission: 'EmmaMessage:patch',
  response: z.object({ message_id: z.int(), revision: z.int() }),
  evicts: ['message', 'render'],
})
