import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { flag, id, line, name, text } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'

/**
 * `mjml`: a synced block of the email editor, inserted before MJML is converted. `feed`: the items of an RSS, Atom or
 * JSON feed, each by the body as template. `data`: JSON of an address, read as `{{ data.TOKEN.… }}`; it has no body.
 */
export const placeholderTypes = [
  'text',
  'html',
  'url',
  'image',
  'datasource_column',
  'code',
  'mjml',
  'feed',
  'data',
] as const

/** Most items that a feed shows in a mail. */
export const maxFeedItems = 50

/** Most data feeds that a mail reads. */
export const maxDataFeeds = 10

/** Not those that direct or frame a request. */
const requestHeader =
  /^(?!(?:host|connection|content-.{0,80}|transfer-encoding|upgrade|te|trailer|expect|keep-alive|accept-encoding|proxy-.{0,80})$)[a-z][a-z0-9-]{0,99}$/i

/** A module: `{{ module.TOKEN }}` in messages, with a body per language. */
export const placeholder = defineResource({
  name: 'placeholder',
  area: 'content',
  entity: 'EmmaPlaceholder',
  key: 'module_id',
  label: 'name',
  paths: ['/emma/placeholder/'],
  tenant: true,
  fields: {
    module_id: id,
    name,
    token: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,62}$/, checkFault('field.name')),
    type: z.enum(placeholderTypes).default('text'),
    body: z.partialRecord(z.enum(['en', 'de', 'es']), text(100_000)).default({}),
    is_mandatory: z.boolean().default(false),
    feed_url: line(2000).trim().nullable(),
    /** Header of the request whose value is the secret: Authorization, X-Api-Key. */
    feed_header: z.string().regex(requestHeader, checkFault('field.header')).nullable(),
    /** Write-only: responses contain `feed_secret_set` instead. */
    feed_secret: line(2000)
      .trim()
      .regex(/^[\x20-\x7E]*$/, checkFault('field.header_value'))
      .nullable(),
    feed_secret_set: z.boolean(),
    /** Data is fetched once for a campaign, or for each recipient: its address then has placeholders of the member. */
    feed_scope: z.enum(['campaign', 'member']).default('campaign'),
    feed_max: z.int().min(1).max(maxFeedItems).default(5),
    /** Only items that no earlier campaign sent. */
    feed_only_new: z.boolean().default(false),
    /** A campaign whose feed has nothing to send is sent without it, or not at all. */
    feed_if_empty: z.enum(['send', 'skip']).default('send'),
  },
  readOnly: ['feed_secret_set'],
  required: { create: ['name', 'token'] },
  filters: {
    type: { operator: 'eq', value: z.enum(placeholderTypes) },
    is_mandatory: { operator: 'flag', value: flag },
  },
  search: ['name', 'token'],
  sort: ['name', 'token', 'type'],
  included: {},
})
