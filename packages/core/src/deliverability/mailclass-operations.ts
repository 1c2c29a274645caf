import { mailclass } from '@emma/contract/resources/mailclass.ts'
import { campaignReferences } from '../campaigns/campaign-references.ts'
import { sealGiven, withBoundSecret } from '../resource/bound-secret.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

/** CRUD operations of mail classes. The SMTP password is stored encrypted and never returned. */
export function mailclassOperations(key: Buffer): Operations<typeof mailclass> {
  const standard = resourceOperations(mailclass, {
    table: 'mailclass',
    computed: ['smtp_password_set'],
    json: ['provider_limits', 'mta_headers', 'source_ips'],
    refersTo: {
      overflow_mailclass_id: { table: 'mailclass', key: 'mailclass_id' },
      login_ids: { table: 'esp_login', key: 'id' },
    },
    hidden: ['smtp_password'],
    toRecord: row => ({ smtp_password: null, smtp_password_set: row.smtp_password !== null }),
    toRow: input => ({ smtp_password: sealGiven(key, input.smtp_password) }),
    references: [
      { resource: mailclass, column: 'overflow_mailclass_id' },
      ...campaignReferences('mailclass_id'),
    ],
  })
  return withBoundSecret(standard, {
    secret: 'smtp_password',
    isSet: 'smtp_password_set',
    destination: ['smtp_host', 'smtp_port', 'smtp_tls'],
    neededBy: 'smtp_username',
    none: { smtp_password: null },
  })
}
