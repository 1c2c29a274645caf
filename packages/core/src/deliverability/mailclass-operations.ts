import { mailclass } from '@emma/contract/resources/mailclass.ts'
import type { Fields, Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { sealSecret } from './secret-box.ts'

/** Mail classes. The SMTP password goes in, is kept sealed, and never comes out. */
export function mailclassOperations(key: Buffer): Operations {
  return resourceOperations(mailclass, {
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
    toRow: input => ({ ...input, ...sealed(key, input) }),
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
}

/** A null means "unchanged": forms send back what they were given, which is never the password. */
function sealed(key: Buffer, input: Fields): Fields {
  const { smtp_password: password } = input
  return { smtp_password: typeof password === 'string' ? sealSecret(key, password) : undefined }
}
