import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { id, line } from '../fields.ts'
import { mailboxLogins, mailboxProtocols } from '../known-mailboxes.ts'
import { checkFault } from '../schema-faults.ts'

/** Name of a folder as the server lists it; null: found by its use (RFC 6154). */
const folder = line(255).nullable()

/** Mail server of test mailboxes (R213, domain.md 2C). */
export const imapSetting = defineResource({
  name: 'imap_setting',
  area: 'deliverability',
  entity: 'EmmaImapSetting',
  key: 'setting_id',
  label: 'provider',
  paths: ['/emma/imap/setting/'],
  tenant: true,
  fields: {
    setting_id: id,
    /** Name of the mailbox provider, by which placements are grouped. */
    provider: line(100).trim().min(1, checkFault('field.empty')),
    protocol: z.enum(mailboxProtocols).default('imap'),
    host: line(253)
      .regex(/^[A-Za-z0-9.:-]*$/, checkFault('field.host'))
      .nullable(),
    port: z.int().min(1).max(65_535).default(993),
    tls: z.enum(['tls', 'starttls']).default('tls'),
    inbox_folder: folder,
    spam_folder: folder,
    promo_folder: folder,
    auth: z.enum(mailboxLogins).default('password'),
    /** OAuth 2.0: where an access token is fetched for a login's refresh token. */
    token_url: line(500).nullable(),
    oauth_client_id: line(255).nullable(),
    /** Write-only: responses contain `oauth_client_secret_set` instead. */
    oauth_client_secret: line(1000).nullable(),
    oauth_client_secret_set: z.boolean(),
    oauth_scope: line(500).nullable(),
  },
  readOnly: ['oauth_client_secret_set'],
  required: { create: ['provider'] },
  filters: { provider: { operator: 'contains', value: line(100) } },
  search: ['provider', 'host'],
  sort: ['provider', 'host'],
  included: {},
})
