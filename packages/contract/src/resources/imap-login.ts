import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { storedFault } from '../fault-fields.ts'
import { email, flag, id, instant, line, queryId } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'

/** Fields that a test mailbox needs before it can be read (R282). */
export const requiredOfMailbox = ['email', 'setting_id', 'username', 'password'] as const

/** A test mailbox: an address of the client at a provider, which EMMA reads (R077, R212, domain.md 2C). */
export const imapLogin = defineResource({
  name: 'imap_login',
  area: 'deliverability',
  entity: 'EmmaImapLogin',
  key: 'login_id',
  label: 'email',
  paths: ['/emma/imap/login/'],
  tenant: true,
  fields: {
    login_id: id,
    setting_id: id,
    email,
    username: line(255).trim().min(1, checkFault('field.empty')),
    /** Write-only: the password, or with OAuth 2.0 the refresh token. Responses contain `password_set` instead. */
    password: line(4000).nullable(),
    password_set: z.boolean(),
    active: z.boolean().default(true),
    /** When the mailbox was read last, successfully or not. */
    last_poll: instant.nullable(),
    /** Why it could not be read then; null when it could. */
    last_error: storedFault.nullable(),
  },
  readOnly: ['password_set', 'last_poll', 'last_error'],
  required: { create: ['email', 'setting_id', 'username'] },
  filters: {
    setting_id: { operator: 'eq', value: queryId },
    onlyactive: { operator: 'flag', column: 'active', value: flag },
  },
  search: ['email', 'username'],
  sort: ['email', 'active', 'last_poll'],
  included: { imap_setting: { resource: 'imap_setting', via: 'setting_id' } },
})
