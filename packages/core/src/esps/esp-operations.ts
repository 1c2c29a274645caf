import { fieldError, invalid } from '@emma/contract/errors.ts'
import { isMissing, type Patch } from '@emma/contract/resource-schemas.ts'
import { espLogin, espRequired } from '@emma/contract/resources/esp-login.ts'
import { espReplacer } from '@emma/contract/resources/esp-replacer.ts'
import { espSendfromid } from '@emma/contract/resources/esp-sendfromid.ts'
import { campaignReferences } from '../campaigns/campaign-references.ts'
import { type Actor, can } from '../resource/actor.ts'
import { sealGiven, withBoundSecret } from '../resource/bound-secret.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import type { Fault } from '@emma/contract/faults.ts'

/** Returns an error text when a URL must not be called; null when it may. */
export type JudgeUrl = (url: string) => Promise<Fault | null>

/**
 * CRUD operations of logins at sending services (R221). Secrets are stored encrypted and never returned; URLs in
 * private networks are rejected; fields that the service needs are required.
 */
export function espLoginOperations(key: Buffer, judgeUrl: JudgeUrl): Operations<typeof espLogin> {
  const records = resourceOperations(espLogin, {
    table: 'esp_login',
    computed: ['secret_set', 'webhook_secret_set', 'hook_path'],
    hidden: ['secret', 'webhook_secret', 'hook_token'],
    toRecord: ({ esp, secret, webhook_secret, hook_token }) => ({
      secret: null,
      secret_set: secret !== null,
      webhook_secret: null,
      webhook_secret_set: webhook_secret !== null,
      hook_path: `/hook/${esp}/${hook_token}`,
    }),
    toRow: input => ({
      secret: sealGiven(key, input.secret),
      webhook_secret: sealGiven(key, input.webhook_secret),
      // A changed login is tried again.
      refused_at: null,
      refused_text: null,
    }),
    references: [{ resource: espSendfromid, column: 'login_id' }, ...campaignReferences('esp_id')],
  })
  const standard = withBoundSecret(records, {
    secret: 'secret',
    isSet: 'secret_set',
    destination: ['host', 'port', 'tls', 'region', 'base_url'],
    none: { secret: null },
  })

  async function assertUsable(input: Patch<typeof espLogin>, before: Patch<typeof espLogin>): Promise<void> {
    const login = { ...before, ...input }
    const missing = login.esp ? espRequired[login.esp].filter(field => isMissing(login[field])) : []
    if (missing.length > 0) throw invalid(missing.map(field => fieldError(field, 'field.required')))
    if (!input.base_url) return
    const fault = await judgeUrl(input.base_url)
    if (fault !== null) throw invalid([{ field: 'base_url', ...fault }])
  }

  return {
    ...standard,
    async list(db, actor, scope, query) {
      const page = await standard.list(db, actor, scope, query)
      return { ...page, data: page.data.map(login => withoutHook(actor, login)) }
    },
    async find(db, actor, scope, id) {
      return withoutHook(actor, await standard.find(db, actor, scope, id))
    },
    async create(db, actor, clientId, input) {
      await assertUsable(input, {})
      return standard.create(db, actor, clientId, input)
    },
    async patch(db, actor, scope, id, input, options) {
      const before = await standard.find(db, actor, scope, id)
      if (input.esp !== undefined && input.esp !== before.esp)
        throw invalid([fieldError('esp', 'field.fixed')])
      await assertUsable(input, options.whole ? {} : before)
      return standard.patch(db, actor, scope, id, input, options)
    },
  }
}

/** Some services cannot sign webhooks, so the URL itself is the secret: only users who may edit the login see it. */
function withoutHook<Login extends { hook_path?: string | null }>(actor: Actor, login: Login): Login {
  return can(actor, 'EmmaEspLogin:patch') ? login : { ...login, hook_path: null }
}

/** CRUD operations of the senders registered at sending services (R220). */
export const espSenderOperations: Operations<typeof espSendfromid> = resourceOperations(espSendfromid, {
  table: 'esp_sendfromid',
  refersTo: { login_id: { table: 'esp_login', key: 'id' } },
})

/** CRUD operations of replacers: EMMA's tokens and what services write instead (R219). */
export const espReplacerOperations: Operations<typeof espReplacer> = resourceOperations(espReplacer, {
  table: 'esp_replacer',
})
