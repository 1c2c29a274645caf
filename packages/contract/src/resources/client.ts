import { z } from 'zod'
import { brandFields } from '../client-brand.ts'
import { defineResource } from '../define-resource.ts'
import { clockTime, email, flag, id, name, text, timeZone } from '../fields.ts'
import { currencies, priceTierLimits, priceTiers } from '../price-tiers.ts'

export const languages = ['en', 'de', 'es'] as const

/** A client: the tenant. Its own row is its scope, so the resource itself is not a tenant resource. */
export const client = defineResource({
  name: 'client',
  area: 'platform',
  entity: 'EmmaClient',
  key: 'client_id',
  label: 'name',
  paths: ['/emma/client/'],
  tenant: false,
  superadminOnly: 'existence',
  fields: {
    client_id: id,
    name,
    brand: z.enum(['emma', 'ems']).default('emma'),
    is_active: z.boolean().default(true),
    is_demo: z.boolean(),
    address: text(2000).nullable(),
    contact_email: email.nullable(),
    language: z.enum(languages),
    timezone: timeZone,
    imprint: text(5000).nullable(),
    /** Quiet hours, in which no bulk sending starts, in the client's time zone. */
    quiet_from: clockTime.nullable(),
    quiet_to: clockTime.nullable(),
    /** Campaigns are started only after a second person's approval. Changed by administrators only. */
    campaign_approval: z.boolean().default(false),
    /** Most emails a month; null: no limit. It is shown and warned of, and stops nothing. */
    send_volume_limit: z.int().min(1).max(priceTierLimits.emails).nullable(),
    /** Prices of the emails of a month. They and the limit are changed by superadmins only. */
    price_tiers: priceTiers.default([]),
    currency: z.enum(currencies).default('EUR'),
    ...brandFields,
  },
  readOnly: ['is_demo'],
  openFields: ['client_id', 'name', 'brand', 'is_active', 'is_demo', 'language', 'timezone'],
  required: { create: ['name', 'contact_email', 'language', 'timezone'] },
  filters: { onlyactive: { operator: 'flag', column: 'is_active', value: flag } },
  search: ['name', 'contact_email'],
  sort: ['name', 'client_id'],
  included: {},
})
