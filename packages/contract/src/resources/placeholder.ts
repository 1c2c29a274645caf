import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { flag, id, line, name, text } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'

/**
 * `mjml`: a synced block of the e-mail editor, inserted before MJML is converted. `feed`: the items of an RSS, Atom or
 * JSON feed, each by the body as template.
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
] as const

/** Most items that a feed shows in a mail. */
export const maxFeedItems = 50

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
    feed_max: z.int().min(1).max(maxFeedItems).default(5),
    /** Only items that no earlier campaign sent. */
    feed_only_new: z.boolean().default(false),
    /** A campaign whose feed has nothing to send is sent without it, or not at all. */
    feed_if_empty: z.enum(['send', 'skip']).default('send'),
  },
  readOnly: [],
  required: { create: ['name', 'token'] },
  filters: {
    type: { operator: 'eq', value: z.enum(placeholderTypes) },
    is_mandatory: { operator: 'flag', value: flag },
  },
  search: ['name', 'token'],
  sort: ['name', 'token', 'type'],
  included: {},
})
