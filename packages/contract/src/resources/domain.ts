import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { date, flag, id, instant, line } from '../fields.ts'
import { warmupVolumes } from './mailclass.ts'
import { checkFault } from '../schema-faults.ts'

export const domainStates = ['new', 'pending', 'verified', 'failed', 'blocked'] as const

/** R274: lower-case labels of 1 to 63 characters, a top-level domain of 2 to 63 letters. */
export const domainName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/,
    checkFault('field.domain_name'),
  )

/** A DNS record that a domain needs, with the values found. */
export const dnsStep = z.object({
  type: z.enum(['TXT', 'CNAME', 'MX', 'A']),
  host: z.string(),
  expected: z.string(),
  found: z.array(z.string()),
  ok: z.boolean().nullable(),
})

export type DnsStep = z.infer<typeof dnsStep>

export const domain = defineResource({
  name: 'domain',
  area: 'deliverability',
  entity: 'EmmaDomain',
  key: 'domain_id',
  label: 'name',
  paths: ['/emma/domain/', '/v2/emma/client/{client_id}/domain/'],
  tenant: true,
  fields: {
    domain_id: id,
    name: domainName,
    purpose: z.enum(['send', 'tracking', 'both']).default('both'),
    in_pool: z.boolean().default(false),
    status: z.enum(domainStates),
    return_path_host: domainName.nullable(),
    tracking_host: domainName.nullable(),
    dkim_selector: z.string().nullable(),
    dkim_keys: z.array(
      z.object({ selector: z.string(), algorithm: z.enum(['rsa', 'ed25519']), public_txt: z.string() }),
    ),
    dns: z.array(dnsStep),
    dmarc_policy: line(20).nullable(),
    spf_ok: z.boolean().nullable(),
    dkim_ok: z.boolean().nullable(),
    dmarc_ok: z.boolean().nullable(),
    mx_ok: z.boolean().nullable(),
    cname_ok: z.boolean().nullable(),
    is_blocklisted: z.boolean(),
    blocklists: z.array(z.string()),
    last_check: instant.nullable(),
    warmup_start: date.nullable(),
    warmup_volumes: warmupVolumes.default([]),
  },
  readOnly: [
    'status',
    'dkim_selector',
    'dkim_keys',
    'dns',
    'dmarc_policy',
    'spf_ok',
    'dkim_ok',
    'dmarc_ok',
    'mx_ok',
    'cname_ok',
    'is_blocklisted',
    'blocklists',
    'last_check',
  ],
  required: { create: ['name'] },
  filters: {
    status: { operator: 'eq', value: z.enum(domainStates) },
    domain: { operator: 'contains', column: 'name', value: line() },
    is_blocklisted: { operator: 'flag', value: flag },
  },
  search: ['name'],
  sort: ['name', 'status', 'last_check'],
  included: {},
})
