import { type FieldError, fieldError, invalid } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import { isMissing, type Row } from '@emma/contract/resource-schemas.ts'
import { imapLogin } from '@emma/contract/resources/imap-login.ts'
import { imapSetting } from '@emma/contract/resources/imap-setting.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { RelayFields } from '../guard-mailclass.ts'
import type { JudgeUrl } from '../../esps/esp-operations.ts'
import { sealGiven, withBoundSecret } from '../../resource/bound-secret.ts'
import type { Operations } from '../../resource/operations.ts'
import { resourceOperations } from '../../resource/resource-operations.ts'

type Setting = Row<typeof imapSetting>

/** The fields that determine where the passwords and refresh tokens of its mailboxes are sent. */
const destination = [
  'protocol',
  'host',
  'port',
  'tls',
  'auth',
  'token_url',
] as const satisfies readonly (keyof Setting)[]

/** Ports of IMAP: with STARTTLS, and with TLS from the first byte (RFC 8314). */
export const IMAP_PORTS: ReadonlySet<number> = new Set([143, 993])

export const settingServer: RelayFields<Setting> = {
  of: ({ protocol, host, port, tls }) => ({ host: protocol === 'imap' ? host : null, port, tls }),
  host: 'host',
  port: 'port',
  usualPort: 993,
}

/**
 * CRUD operations of the mail servers of test mailboxes (R213). When a server changes, the passwords of its mailboxes
 * are removed: they must not be sent to another one.
 */
export function imapSettingOperations(key: Buffer, judgeUrl: JudgeUrl): Operations<typeof imapSetting> {
  const standard = withBoundSecret(
    resourceOperations(imapSetting, {
      table: 'imap_setting',
      computed: ['oauth_client_secret_set'],
      hidden: ['oauth_client_secret'],
      toRecord: row => ({
        oauth_client_secret: null,
        oauth_client_secret_set: row.oauth_client_secret !== null,
      }),
      toRow: input => ({ oauth_client_secret: sealGiven(key, input.oauth_client_secret) }),
      references: [{ resource: imapLogin, column: 'setting_id' }],
    }),
    {
      secret: 'oauth_client_secret',
      isSet: 'oauth_client_secret_set',
      destination: ['token_url'],
      neededBy: 'token_url',
      none: { oauth_client_secret: null },
    },
  )

  async function assertUsable(setting: Setting): Promise<void> {
    const faults: FieldError[] = requiredOf(setting)
      .filter(field => isMissing(setting[field]))
      .map(field => fieldError(field, 'field.required'))
    const judged = isMissing(setting.token_url) ? null : await judgeUrl(setting.token_url ?? '')
    if (judged !== null) faults.push({ field: 'token_url', ...judged })
    if (faults.length > 0) throw invalid(faults)
  }

  return {
    ...standard,
    create(db, actor, clientId, input) {
      return transaction(db, async tx => {
        const created = await standard.create(tx, actor, clientId, input)
        await assertUsable(created)
        return created
      })
    },
    patch(db, actor, scope, id, input, options) {
      return transaction(db, async tx => {
        const before = await standard.find(tx, actor, scope, id)
        const after = await standard.patch(tx, actor, scope, id, input, options)
        await assertUsable(after)
        if (destination.some(field => before[field] !== after[field])) await removePasswords(tx, after)
        return after
      })
    },
  }
}

function requiredOf({ protocol, auth }: Setting): (keyof Setting)[] {
  if (protocol === 'testbed') return []
  return auth === 'oauth2' ? ['host', 'token_url', 'oauth_client_id'] : ['host']
}

async function removePasswords(tx: Db, { client_id, setting_id }: Setting): Promise<void> {
  await sql`
    update imap_login set password = null, last_error = ${JSON.stringify(fault('imap.password'))}::jsonb
    where client_id = ${client_id} and setting_id = ${setting_id} and password is not null`.execute(tx)
}
