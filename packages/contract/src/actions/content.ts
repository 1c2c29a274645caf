import { z } from 'zod'
import { attachments } from '../attachments.ts'
import { reasonFields } from '../fault-fields.ts'
import { defineAction } from '../define-action.ts'
import { message } from '../resources/message.ts'
import { placeholder } from '../resources/placeholder.ts'
import { email, id, line, queryId, text } from '../fields.ts'

const pathId = z.coerce.number().int().positive()
const memberId = z.coerce.number().int().nonnegative()

export const renderedMessage = z.object({
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  headers: z.record(z.string(), z.string()),
  warnings: z.array(
    z.looseObject({ code: z.string(), severity: z.enum(['error', 'warning']), ...reasonFields }),
  ),
})

/** The canvas of the visual editor: HTML whose nodes are marked, and the prefix of the marks. */
const canvas = z.object({ html: z.string(), prefix: z.string() })

/** A rendered message, with the canvas if asked for. */
export const renderedForEditor = renderedMessage.extend({ canvas: canvas.nullish() })

/**
 * Renders a message for one member; member 0 is a sample (R182). POST takes unsaved fields; message 0 is an unsaved
 * one.
 */
export const renderMessage = defineAction({
  name: 'render',
  area: 'content',
  paths: ['/v2/emma/client/{client_id}/message/{id}/render/{member_id}'],
  permission: 'EmmaMessage:get',
  params: z.object({ client_id: pathId, id: pathId, member_id: memberId }),
  query: z.object({ member_table_id: queryId.optional() }),
  response: renderedMessage,
})

const unsavedMessage = z.object({
  subject: text(998).nullish(),
  preheader: text(500).nullish(),
  body_long: text(2_000_000).nullish(),
  body_mjml: text(2_000_000).nullish(),
  body_text: text(500_000).nullish(),
  charset: message.fields.charset.optional(),
  attachments: attachments.optional(),
  lang: z.enum(['en', 'de', 'es']).optional(),
})

export const renderUnsaved = defineAction({
  name: 'render',
  largeBody: true,
  area: 'content',
  method: 'POST',
  reads: true,
  paths: ['/v2/emma/client/{client_id}/message/{id}/render/{member_id}'],
  permission: 'EmmaMessage:get',
  params: z.object({ client_id: pathId, id: memberId, member_id: memberId }),
  query: z.object({ member_table_id: queryId.optional() }),
  body: unsavedMessage,
  response: renderedMessage,
})

/**
 * Renders only the canvas of the visual editor: null if the template is edited as code only. Faults that the checks of
 * `renderUnsaved` find in the HTML of MJML are not reported.
 */
export const renderCanvas = defineAction({
  name: 'render',
  largeBody: true,
  area: 'content',
  method: 'POST',
  reads: true,
  paths: ['/v2/emma/client/{client_id}/message/{id}/canvas/{member_id}'],
  permission: 'EmmaMessage:get',
  params: z.object({ client_id: pathId, id: memberId, member_id: memberId }),
  query: z.object({ member_table_id: queryId.optional() }),
  body: unsavedMessage,
  response: z.object({ canvas: canvas.nullable() }),
})

/**
 * Converts sections of MJML, such as a saved block, to HTML with their Liquid, for a template in HTML. `styles`: style
 * elements for its head.
 */
export const convertSections = defineAction({
  name: 'convertSections',
  area: 'content',
  method: 'POST',
  reads: true,
  paths: ['/v2/emma/client/{client_id}/message:html-sections'],
  permission: 'EmmaMessage:get',
  body: z.object({ body_mjml: text(300_000) }),
  response: z.object({ html: z.string(), styles: z.array(z.string()) }),
})

/** The bin: templates that can be restored (POST …/restore), the last deleted first. */
export const listDeletedMessages = defineAction({
  name: 'listDeletedMessages',
  area: 'content',
  paths: ['/v2/emma/client/{client_id}/message:bin'],
  permission: 'EmmaMessage:delete',
  alsoNeeds: ['EmmaMessage:get'],
  query: z.object({
    limit: z.coerce.number().int().min(1).max(500).default(100),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  }),
  response: z.object({
    data: z.array(
      z.object({ message_id: z.int(), name: z.string(), subject: z.string(), deleted_at: z.string() }),
    ),
    total: z.int(),
  }),
})

const suggestions = z.array(
  z.object({ subject: z.string(), preheader: z.string(), score: z.number().min(0).max(100) }),
)

/** Suggests subjects with preheaders from the content of a message, or of an unsaved source (R183), the best first. */
export const generateSubject = defineAction({
  name: 'generateSubject',
  area: 'content',
  method: 'POST',
  reads: true,
  largeBody: true,
  perMinute: 60,
  paths: ['/v2/emma/client/{client_id}/message:generate-subject'],
  permission: 'EmmaMessage:get',
  body: z.object({
    message_id: id.nullish(),
    /** MJML or HTML; takes precedence over the message. */
    html: text(2_000_000).nullish(),
    lang: z.enum(['en', 'de', 'es']).default('en'),
    n: z.int().min(1).max(20).default(5),
    tone: z.enum(['neutral', 'friendly', 'urgent']).default('neutral'),
  }),
  response: suggestions,
})

/**
 * Fetches a feed or a data feed and returns what arrived. `module_id`: the placeholder that keeps the copy for previews,
 * if the address is its own, and whose stored secret is sent if none is given.
 */
export const testFeed = defineAction({
  name: 'testFeed',
  area: 'content',
  method: 'POST',
  perMinute: 60,
  paths: ['/v2/emma/client/{client_id}/placeholder:feed'],
  permission: 'EmmaPlaceholder:patch',
  body: z.object({
    type: z.enum(['feed', 'data']).default('feed'),
    feed_url: line(2000).trim(),
    feed_header: placeholder.fields.feed_header.nullish(),
    feed_secret: placeholder.fields.feed_secret.nullish(),
    /** Values of the member's columns in the address. */
    values: z.record(z.string().max(63), line(500)).optional(),
    module_id: id.nullish(),
  }),
  response: z.object({
    /** JSON of a data feed, formatted; the beginning if it is long. */
    json: z.string().nullable(),
    bytes: z.int(),
    milliseconds: z.int(),
    items: z.array(
      z.object({
        title: z.string(),
        link: z.string(),
        summary: z.string(),
        image: z.string(),
        date: z.string(),
      }),
    ),
  }),
})

const linkTable = z.object({
  is_tracked: z.boolean(),
  urls: z.array(z.object({ link_index: z.int(), name: z.string(), url: z.string(), is_active: z.boolean() })),
})

export const trackMessage = defineAction({
  name: 'trackMessage',
  area: 'content',
  method: 'POST',
  paths: ['/emma/message/{id}/track'],
  permission: 'EmmaMessage:patch',
  response: linkTable,
  evicts: ['message', 'render'],
})

export const untrackMessage = defineAction({
  ...trackMessage,
  name: 'untrackMessage',
  paths: ['/emma/message/{id}/untrack'],
})

/** What the receiving server said to one mail of a test. */
export const testResult = z.object({
  email: z.string(),
  outcome: z.string(),
  reply: z.string(),
  reason: reasonFields.reason,
  values: reasonFields.values,
})

/** Sends the message to addresses or a test group at once, and returns the replies of the receiving servers (R184). */
export const testMessage = defineAction({
  name: 'testMessage',
  area: 'content',
  method: 'POST',
  paths: ['/v2/emma/client/{client_id}/message:test'],
  permission: 'EmmaTestCampaign:post',
  body: z.object({
    message_id: id,
    campagne_id: id.nullish(),
    emails: z.array(email).max(50).default([]),
    test_group_id: id.nullish(),
    member_id: z.int().nonnegative().default(0),
    domain_id: id.nullish(),
    subject_prefix: text(50).default('[TEST] '),
  }),
  response: z.object({
    results: z.array(testResult),
  }),
  evicts: ['campaign'],
})
