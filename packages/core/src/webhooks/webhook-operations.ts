import { EmmaError, invalid } from '@emma/contract/errors.ts'
import type { Patch, Row } from '@emma/contract/resource-schemas.ts'
import { webhook } from '@emma/contract/resources/webhook.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { sealSecret } from '../deliverability/secret-box.ts'
import type { Actor, TenantScope } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'
import type { Operations } from '../resource/operations.ts'
import { type Columns, resourceOperations } from '../resource/resource-operations.ts'
import { makeWebhookSecret } from './webhook-secret.ts'
import type { Fault } from '@emma/contract/faults.ts'

/** Returns an error text when a URL must not be called; null when it may. Resolves the host by DNS. */
export type JudgeUrl = (url: string) => Promise<Fault | null>

const standard = resourceOperations(webhook, {
  table: 'webhook',
  // The encrypted secret is never read; an expired rotation is not shown.
  hidden: ['secret'],
  toRecord: ({ previous_until: until }) => ({
    secret: null,
    previous_until: until !== null && Date.parse(until) > Date.now() ? until : null,
  }),
})

/**
 * CRUD operations of webhooks. The secret is generated, returned once and stored encrypted; URLs in private networks
 * are rejected.
 */
export function webhookOperations(key: Buffer, judgeUrl: JudgeUrl): Operations<typeof webhook> {
  async function assertUrl({ url }: Patch<typeof webhook>): Promise<void> {
    if (url === undefined) return
    const fault = await judgeUrl(url)
    if (fault !== null) throw invalid([{ field: 'url', ...fault }])
  }

  return {
    ...standard,

    async create(db, actor, clientId, input) {
      await assertUrl(input)
      const secret = makeWebhookSecret()
      const made = await standard.create(db, actor, clientId, input, { secret: sealSecret(key, secret) })
      return { ...made, secret }
    },

    async patch(db, actor, scope, id, input, options) {
      await assertUrl(input)
      return transaction(db, async tx => {
        const before = await standard.find(tx, actor, scope, id)
        const isSwitchedOn = input.active === true && !before.active
        const after = await standard.patch(
          tx,
          actor,
          scope,
          id,
          input,
          options,
          isSwitchedOn ? freshStart : {},
        )
        if (hostOf(after) === hostOf(before)) return after
        // The former receiver knows the old secret and must not be able to sign calls to the new one.
        const { secret } = await replaceSecret(tx, actor, after, key, null)
        return { ...(await standard.find(tx, actor, scope, id)), secret }
      })
    },
  }
}

/** An enabled webhook gets only events from now on. */
const freshStart: Columns<'webhook'> = {
  since_txid: sql`pg_current_xact_id()`,
  activated_at: sql`now()`,
  failing_since: null,
  disabled_reason: null,
}

/** Hours during which calls are also signed with the previous secret after a rotation. */
const overlapHours = 24

/** Replaces the secret and returns the new one, once. Throws `not_found`. */
export function rotateWebhookSecret(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  key: Buffer,
  id: number,
): Promise<{ secret: string; previous_until: string }> {
  return transaction(db, async tx => {
    const record = await standard.find(tx, actor, scope, id)
    const { secret, previousUntil } = await replaceSecret(tx, actor, record, key, overlapHours)
    if (previousUntil === null) throw new EmmaError('not_found')
    return { secret, previous_until: previousUntil }
  })
}

/** @param overlap hours during which calls are also signed with the previous secret; null: none */
async function replaceSecret(
  tx: Db,
  actor: Actor,
  { client_id, webhook_id }: Row<typeof webhook>,
  key: Buffer,
  overlap: number | null,
): Promise<{ secret: string; previousUntil: string | null }> {
  const secret = makeWebhookSecret()
  const { rows } = await sql<{ previous_until: string | null }>`
    update webhook
    set previous_secret = case when ${overlap}::int is not null then secret end,
      previous_until = now() + make_interval(hours => ${overlap}::int),
      secret = ${sealSecret(key, secret)}, updated_at = now(), updated_by = ${actor.userId},
      revision = revision + 1
    where client_id = ${client_id} and webhook_id = ${webhook_id} and deleted_at is null
    returning previous_until`.execute(tx)
  const [replaced] = rows
  if (!replaced) throw new EmmaError('not_found')
  const change = { clientId: client_id, object: webhook.name, id: webhook_id }
  await logChange(tx, actor, { ...change, action: 'rotate_secret' })
  return { secret, previousUntil: replaced.previous_until }
}

function hostOf({ url }: Row<typeof webhook>): string | undefined {
  return URL.parse(url)?.host
}
