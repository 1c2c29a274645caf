import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { flag, id, instant, queryId, text } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'

/** Most comments of a campaign. */
export const MOST_COMMENTS = 500

/** Characters of a comment. */
export const COMMENT_LENGTH = 4000

/** Most users that a comment notifies. */
export const MOST_MENTIONS = 20

/** A comment on a campaign, in plain text. `@username` notifies a user of the client. */
export const campaignComment = defineResource({
  name: 'campaigncomment',
  area: 'campaigns',
  entity: 'EmmaCampaign',
  key: 'comment_id',
  label: 'text',
  paths: ['/v2/emma/client/{client_id}/campaigncomment/'],
  tenant: true,
  fields: {
    comment_id: id,
    /** Cannot be changed. */
    campagne_id: id,
    /** Changed by its author only, who alone deletes the comment too. */
    text: text(COMMENT_LENGTH).trim().min(1, checkFault('field.empty')),
    is_resolved: z.boolean().default(false),
    resolved_at: instant.nullable(),
    resolved_by: id.nullable(),
    /** Name of the user who wrote it (`created_by`). */
    author: z.string(),
  },
  readOnly: ['resolved_at', 'resolved_by', 'author'],
  required: { create: ['campagne_id', 'text'] },
  filters: {
    campagne_id: { operator: 'eq', value: queryId },
    is_resolved: { operator: 'flag', value: flag },
  },
  search: ['text'],
  sort: ['comment_id'],
  included: {},
})

/** Usernames that a text mentions, each once. */
export function mentionsOf(text: string): string[] {
  const names = [...text.matchAll(/(?<![\w@.+-])@([\w@.+-]{1,255})/gu)].map(([, name = '']) =>
    // Not the punctuation of the sentence.
    name.replace(/[.+@-]+$/, '').toLowerCase(),
  )
  return [...new Set(names.filter(name => name !== ''))].slice(0, MOST_MENTIONS)
}
