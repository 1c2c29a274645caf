import { mailclass } from '@emma/contract/resources/mailclass.ts'
import { sealGiven, withBoundSecret } from '../resource/bound-secret.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'

/** Mail classes. The SMTP password goes in, is kept sealed, and never comes out. */
export function mailclassOperations(key: Buffer): Operations {
  const standard = resourceOperations(mailclass, {
    table: 'mailclass',
    computed: ['smtp_password_set'],
    json: ['provider_limits', 'mta_headers', 'source_ips'],
    refersTo: {
      overflow_mailclass_id: { table: 'mailclass', key: 'mailclass_id' },
      login_ids: { table: 'esp_login', key: 'id' },
    },
    toRecord: ({ smtp_password, ...row }) => ({
      ...row,
      smtp_password: null,
      smtp_password_set: smtp_password !== null,
    }),
    toRow: input => ({ ...input, smtp_password: sealGiven(key, input.smtp_password) }),
    references: [
      {
        type: 'mailclass',
        table: 'mailclass',
        column: 'overflow_mailclass_id',
        key: 'mailclass_id',
        name: 'name',
      },
      { type: 'campaign', table: 'campaign', column: 'mailclass_id', key: 'campagne_id', name: 'name' },
    ],
  })
  return withBoundSecret(standard, {
    secret: 'smtp_password',
    isSet: 'smtp_password_set',
    destination: ['smtp_host', 'smtp_port', 'smtp_tls'],
    neededBy: 'smtp_username',
  })
}
