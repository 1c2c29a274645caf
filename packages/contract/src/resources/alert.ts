import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { email, flag, id, instant, line, name } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'

/**
 * What an alert watches. Rates and shares are percentages of the mails or mailboxes of the window, `queue_stall` is in
 * minutes, `quota` the percentage of this month's import quota; the others are counts.
 */
export const alertMetrics = [
  'bounce_rate',
  'complaint_rate',
  'queue_stall',
  'domain_blocklisted',
  'ip_blocked',
  'ipci_inbox',
  'import_failed',
  'quota',
  'campaign_finished',
] as const
export type AlertMetric = (typeof alertMetrics)[number]

/** Metrics that count events: each further one is told, and none is taken back. */
export const eventMetrics: readonly AlertMetric[] = ['import_failed', 'campaign_finished']

/** Metrics of the mails, checks or events of a period; the others are states, of now. */
export const windowMetrics: readonly AlertMetric[] = [
  'bounce_rate',
  'complaint_rate',
  'ipci_inbox',
  ...eventMetrics,
]

export const alertOperators = ['gt', 'gte', 'lt', 'lte'] as const
export type AlertOperator = (typeof alertOperators)[number]

/** Mails of the window below which a rate says nothing. */
export const LEAST_MAILS = 100

export const alertStates = ['unknown', 'ok', 'firing'] as const

/** Fields that an alert needs (R282); one of the addresses suffices. */
export const requiredOfAlert = ['name', 'metric', 'threshold', ['notify_email', 'notify_sms']] as const

/** An alert: a figure of the client, and who is told when it crosses the threshold (R064, domain.md 2G). */
export const alert = defineResource({
  name: 'alert',
  area: 'deliverability',
  entity: 'Alerts',
  key: 'id',
  label: 'name',
  paths: ['/alert/'],
  tenant: true,
  fields: {
    id,
    name,
    metric: z.enum(alertMetrics),
    operator: z.enum(alertOperators).default('gte'),
    threshold: z.number().min(0).max(1_000_000),
    /** Minutes. */
    window: z.int().min(5).max(10_080).default(1_440),
    notify_email: email.nullable(),
    /** Number in E.164: `+49…`. */
    notify_sms: line(16)
      .trim()
      .regex(/^\+[1-9]\d{6,14}$/, checkFault('field.phone'))
      .nullable(),
    active: z.boolean().default(true),
    /** `unknown`: not read yet, or too little data. */
    state: z.enum(alertStates),
    /** As read last; null: too little data. */
    value: z.number().nullable(),
    checked_at: instant.nullable(),
    /** When it was told last. */
    fired_at: instant.nullable(),
  },
  readOnly: ['state', 'value', 'checked_at', 'fired_at'],
  required: { create: ['name', 'metric', 'threshold'] },
  filters: {
    metric: { operator: 'eq', value: z.enum(alertMetrics) },
    state: { operator: 'eq', value: z.enum(alertStates) },
    onlyactive: { operator: 'flag', column: 'active', value: flag },
  },
  search: ['name', 'notify_email', 'notify_sms'],
  sort: ['name', 'metric', 'state', 'fired_at', 'active'],
  included: {},
})
