import { fieldError, invalid } from '@emma/contract/errors.ts'
import { isMissing } from '@emma/contract/resource-schemas.ts'
import { imapLogin, requiredOfMailbox } from '@emma/contract/resources/imap-login.ts'
import { sql } from 'kysely'
import { sealGiven, withBoundSecret } from '../../resource/bound-secret.ts'
import type { Operations } from '../../resource/operations.ts'
import { resourceOperations } from '../../resource/resource-operations.ts'

/** CRUD operations of test mailboxes (R212). Their passwords are stored encrypted and never returned. */
export function imapLoginOperations(key: Buffer): Operations<typeof imapLogin> {
  const standard = resourceOperations(imapLogin, {
    table: 'imap_login',
    computed: ['password_set'],
    hidden: ['password'],
    json: ['last_error'],
    refersTo: { setting_id: { table: 'imap_setting', key: 'setting_id' } },
    toRecord: row => ({ password: null, password_set: row.password !== null }),
    // A changed login is tried at once.
    toRow: input => ({
      password: sealGiven(key, input.password),
      last_error: null,
      next_poll: sql`now()`,
    }),
  })
  return {
    ...withBoundSecret(standard, {
      secret: 'password',
      isSet: 'password_set',
      destination: ['setting_id', 'username'],
      none: { password: null },
    }),
    async create(db, actor, clientId, input) {
      const missing = requiredOfMailbox.filter(field => isMissing(input[field]))
      if (missing.length > 0) throw invalid(missing.map(field => fieldError(field, 'field.required')))
      return standard.create(db, actor, clientId, input)
    },
  }
}
