import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { count, flag, id, instant, line, name } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'
import { throttleUnits } from './mailclass.ts'

/** Sending services: SMTP relays with a login, and services with an API. */
export const esps = [
  'smtp',
  'ses',
  'mailgun',
  'sendgrid',
  'postmark',
  'sparkpost',
  'brevo',
  'mailjet',
] as const
export type Esp = (typeof esps)[number]

/** Fields of a login at each service, besides name and secret. */
export const espFields: Record<
  Esp,
  readonly ('username' | 'host' | 'port' | 'tls' | 'region' | 'domain' | 'stream' | 'configuration_set')[]
> = {
  smtp: ['host', 'port', 'tls', 'username'],
  ses: ['username', 'region', 'configuration_set'],
  mailgun: ['domain', 'region'],
  sendgrid: ['region'],
  postmark: ['stream'],
  sparkpost: ['region'],
  brevo: [],
  mailjet: ['username'],
}

/** Fields without which a login cannot send. */
export const espRequired: Record<Esp, readonly ('username' | 'host' | 'domain' | 'region')[]> = {
  smtp: ['host'],
  ses: ['username', 'region'],
  mailgun: ['domain'],
  sendgrid: [],
  postmark: [],
  sparkpost: [],
  brevo: [],
  mailjet: ['username'],
}

/** A login at a sending service (R221, domain.md 2E). `/emma/{esp}/login/` is an alias, filtered by service. */
export const espLogin = defineResource({
  name: 'esp_login',
  area: 'esps',
  entity: 'EmmaEspLogin',
  key: 'id',
  label: 'name',
  paths: ['/emma/esp-login/'],
  tenant: true,
  fields: {
    id,
    esp: z.enum(esps),
    name,
    /** SMTP user, AWS access key id, Mailjet API key. */
    username: line(255).nullable(),
    /** Write-only: password, API key, server token. Responses contain `secret_set` instead. */
    secret: line(1000).nullable(),
    secret_set: z.boolean(),
    host: line(253).nullable(),
    port: z.int().min(1).max(65_535).nullable(),
    tls: z.enum(['none', 'starttls', 'tls']).default('starttls'),
    region: line(40)
      .regex(/^[a-z0-9-]*$/, checkFault('field.small_letters'))
      .nullable(),
    /** The sending domain, as registered at Mailgun. */
    domain: line(253)
      .regex(/^[A-Za-z0-9.-]*$/, checkFault('field.domain'))
      .nullable(),
    /** Postmark's message stream. */
    stream: line(100).nullable(),
    /** Amazon SES only reports bounces and complaints of messages with a configuration set. */
    configuration_set: line(64)
      .regex(/^[\w-]*$/, checkFault('field.letters_hyphens'))
      .nullable(),
    /** Replaces the service's default URL. */
    base_url: line(500).nullable(),
    /** What the service allows the login, spread evenly over the unit; 0: no limit. */
    max_mails: count.default(0),
    max_unit: z.enum(throttleUnits).default('day'),
    /** Write-only: secret that the service signs its webhooks with. Responses contain `webhook_secret_set` instead. */
    webhook_secret: line(1000).nullable(),
    webhook_secret_set: z.boolean(),
    /** Path on the tracking host for the service's webhooks; null for users who may not change logins. */
    hook_path: z.string().nullable(),
    /** Since when the service rejects this login, and its reply; null while it accepts it. */
    refused_at: instant.nullable(),
    refused_text: z.string().nullable(),
    active: z.boolean().default(true),
  },
  readOnly: ['secret_set', 'webhook_secret_set', 'hook_path', 'refused_at', 'refused_text'],
  required: { create: ['esp', 'name'] },
  filters: {
    esp: { operator: 'eq', value: z.enum(esps) },
    onlyactive: { operator: 'flag', column: 'active', value: flag },
  },
  search: ['name', 'username', 'host'],
  sort: ['name', 'esp', 'active'],
  included: {},
})
