import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { flag, id, instant, line, text } from '../fields.ts'

/** Events of webhooks, in the groups that the form shows. */
export const webhookEventGroups = {
  mail: [
    'mail.delivered',
    'mail.hard_bounced',
    'mail.soft_bounced',
    'mail.complained',
    'mail.opened',
    'mail.clicked',
  ],
  member: ['member.subscribed', 'member.unsubscribed', 'member.changed'],
  campaign: [
    'campaign.started',
    'campaign.paused',
    'campaign.stopped',
    'campaign.finished',
    'campaign.failed',
  ],
  import: ['import.finished', 'import.failed'],
} as const

export const webhookEvents = Object.values(webhookEventGroups).flat()
export type WebhookEvent = (typeof webhookEvents)[number]

/** A signed request to another system's URL when an event occurs (Standard Webhooks 1.0). */
export const webhook = defineResource({
  name: 'webhook',
  area: 'platform',
  entity: 'Webhook',
  key: 'webhook_id',
  label: 'url',
  paths: ['/emma/webhook/'],
  tenant: true,
  fields: {
    webhook_id: id,
    url: line(2000).trim(),
    description: text(1000).nullable(),
    events: z.array(z.enum(webhookEvents)).max(webhookEvents.length),
    active: z.boolean().default(true),
    /** `whsec_…` in responses to creation and rotation, null in all others. */
    secret: z.string().nullable(),
    /** Until then, calls are also signed with the previous secret. */
    previous_until: instant.nullable(),
    last_success_at: instant.nullable(),
    /** Since when no call has succeeded; null without failures. */
    failing_since: instant.nullable(),
    /** Why the installation disabled it: calls failed for days, or the receiver responded with 410. */
    disabled_reason: z.enum(['failing', 'gone']).nullable(),
  },
  readOnly: ['secret', 'previous_until', 'last_success_at', 'failing_since', 'disabled_reason'],
  required: { create: ['url', 'events'] },
  filters: { onlyactive: { operator: 'flag', column: 'active', value: flag } },
  search: ['url', 'description'],
  sort: ['url', 'active', 'last_success_at', 'failing_since'],
  included: {},
})
