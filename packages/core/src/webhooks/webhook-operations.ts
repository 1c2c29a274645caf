import { EmmaError, invalid } from '@emma/contract/errors.ts'
import { webhook } from '@emma/contract/resources/webhook.ts'
import { type Sql, transaction } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'
import { sealSecret } from '../deliverability/secret-box.ts'
import type { Actor, TenantScope } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'
import type { Fields, Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { makeWebhookSecret } from './webhook-secret.ts'

/** Says in words what is wrong with an address to call; null when nothing is. Asks the DNS. */
export type JudgeUrl = (url: string) => Promise<string | null>

const standard = resourceOperations(webhook, {
  table: 'webhook',
  // The sealed secret never leaves the table; a rotation that is over is no news.
  toRecord: row => ({
    ...row,
    secret: null,
    previous_until: Date.parse(String(row.previous_until)) > Date.now() ? row.previous_until : null,
  }),
})

/** Webhooks. The secret is made here, answered once and kept sealed; addresses inside the house are refused. */
export function webhookOperations(key: Buffer, judgeUrl: JudgeUrl): Operations {
  async function assertUrl({ url }: Fields): Promise<void> {
    if (typeof url !== 'string') return
    const fault = await judgeUrl(url)
    if (fault !== null) throw invalid([{ field: 'url', message: fault }])
  }

  return {
    ...standard,

    async create(sql, actor, clientId, input) {
      await assertUrl(input)
      const secret = makeWebhookSecret()
      const made = await standard.create(sql, actor, clientId, {
        ...input,
        secret: sealSecret(key, secret),
      })
      return { ...made, secret }
    },

    async patch(sql, actor, scope, id, input, options) {
      await assertUrl(input)
      return transaction(sql, async tx => {
        const before = await standard.find(tx, actor, scope, id)
        const isSwitchedOn = input.active === true && before.active === false
        return standard.patch(
          tx,
          actor,
          scope,
          id,
          isSwitchedOn ? { ...input, ...freshStart } : input,
          options,
        )
      })
    },
  }
}

/** Switched on again, a webhook begins with what happens from now on. */
const freshStart: Fields = {
  since_txid: raw`pg_current_xact_id()`,
  activated_at: raw`now()`,
  failing_since: null,
  disabled_reason: null,
}

/** Hours that calls are signed with the secret before a rotation, too. */
const overlapHours = 24

/** A new secret, answered this once. Throws `not_found`. */
export function rotateWebhookSecret(
  sql: Sql,
  actor: Actor,
  scope: TenantScope,
  key: Buffer,
  id: number,
): Promise<{ secret: string; previous_until: string }> {
  return transaction(sql, async tx => {
    const { client_id: clientId } = await standard.find(tx, actor, scope, id)
    const secret = makeWebhookSecret()
    const { rows } = await raw<{ previous_until: string }>`
      update webhook
      set previous_secret = secret, previous_until = now() + make_interval(hours => ${overlapHours}),
        secret = ${sealSecret(key, secret)}, updated_at = now(), updated_by = ${actor.userId},
        revision = revision + 1
      where client_id = ${clientId} and webhook_id = ${id} and deleted_at is null
      returning previous_until`.execute(tx)
    const [rotated] = rows
    if (!rotated) throw new EmmaError('not_found')
    await logChange(tx, actor, { clientId: Number(clientId), object: 'webhook', id, action: 'rotate_secret' })
    return { secret, previous_until: rotated.previous_until }
  })
}
