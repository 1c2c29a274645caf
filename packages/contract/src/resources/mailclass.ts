import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { count, date, flag, id, line, text, providerId } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'

export const mailclassTypes = ['bulk', 'transactional', 'warmup', 'test'] as const
export const transports = ['testbed', 'smtp', 'mx', 'esp'] as const
export const throttleUnits = ['minute', 'hour', 'day'] as const
export const secondsPerUnit = { minute: 60, hour: 3600, day: 86_400 } as const satisfies Record<
  (typeof throttleUnits)[number],
  number
>

/** Limits of a mail class for one mailbox provider: mails per unit and concurrent connections, 0: no limit. */
const providerLimit = z.strictObject({
  provider_id: providerId,
  mails: count,
  unit: z.enum(throttleUnits),
  connections: count,
})

/** Daily limits of a warm-up, from the first day on; after the last there is none. */
export const warmupVolumes = z.array(z.int().min(1).max(2_147_483_647)).max(120)

/** A header for the relay. Only X- headers, so that it cannot override the mail's own. */
const mtaHeader = z.strictObject({
  name: z.string().regex(/^X-[A-Za-z0-9-]{1,60}$/, checkFault('field.header_name')),
  value: z
    .string()
    .max(200)
    .regex(/^[\x20-\x7e]+$/, checkFault('field.plain_characters')),
})

const sourceIp = z.strictObject({
  address: z.union([z.ipv4(), z.ipv6()], checkFault('field.ip_address')),
  helo: z
    .string()
    .max(253)
    .regex(/^[A-Za-z0-9.-]+$/, checkFault('field.host')),
})

/** How mail of a class is sent: transport, rate, tracking. The name follows GreenArrow's rules (domain.md 2E). */
export const mailclass = defineResource({
  name: 'mailclass',
  area: 'deliverability',
  entity: 'EmmaMailclass',
  key: 'mailclass_id',
  label: 'name',
  paths: ['/emma/mailclass/', '/v2/emma/client/{client_id}/mailclass/'],
  tenant: true,
  fields: {
    mailclass_id: id,
    name: z
      .string()
      .min(2, checkFault('field.too_short'))
      .max(64, checkFault('field.too_long'))
      .regex(/^[A-Za-z_]+$/, checkFault('field.letters'))
      .refine(name => !name.includes('__'), checkFault('field.letters')),
    description: text(1000).nullable(),
    type: z.enum(mailclassTypes).default('bulk'),
    listid: line(20).nullable(),
    transport: z.enum(transports).default('testbed'),
    smtp_host: line(253).nullable(),
    smtp_port: z.int().min(1).max(65535).nullable(),
    smtp_tls: z.enum(['none', 'starttls', 'tls']).default('starttls'),
    smtp_username: line(255).nullable(),
    /** Write-only: responses contain `smtp_password_set` instead. */
    smtp_password: line(255).nullable(),
    smtp_password_set: z.boolean(),
    /**
     * Headers that the relay evaluates and removes: virtual MTA, pool, job. `{campaign}` and `{client}` are filled in.
     */
    mta_headers: z.array(mtaHeader).max(20).default([]),
    /** Local addresses that direct delivery sends from in rotation. */
    source_ips: z.array(sourceIp).max(100).default([]),
    /** Fallback logins in order, used when the relay rejects its own login; with the transport `esp` all logins. */
    login_ids: z.array(id).max(20).default([]),
    max_connections: z.int().min(1).max(1000).default(10),
    throttle: count.default(0),
    throttle_unit: z.enum(throttleUnits).default('hour'),
    /** Limits of the SMTP login over all mail classes that use it; 0: no limit. */
    login_mails: count.default(0),
    login_unit: z.enum(throttleUnits).default('hour'),
    login_connections: count.default(0),
    /** Source IP or virtual MTA, and its limits over all mail classes that use it. */
    send_ip: line(64).nullable(),
    ip_mails: count.default(0),
    ip_unit: z.enum(throttleUnits).default('hour'),
    ip_connections: count.default(0),
    provider_limits: z.array(providerLimit).max(100).default([]),
    warmup_start: date.nullable(),
    warmup_volumes: warmupVolumes.default([]),
    /**
     * Mail class that sends what exceeds the day's warm-up limit, and everything while the IP is in quarantine; null:
     * it waits.
     */
    overflow_mailclass_id: id.nullable(),
    track_clicks_opens: z.boolean().default(true),
    active: z.boolean().default(true),
  },
  readOnly: ['smtp_password_set'],
  required: { create: ['name'] },
  filters: {
    type: { operator: 'eq', value: z.enum(mailclassTypes) },
    onlyactive: { operator: 'flag', column: 'active', value: flag },
  },
  search: ['name', 'description'],
  sort: ['name', 'type', 'active'],
  included: {},
})
