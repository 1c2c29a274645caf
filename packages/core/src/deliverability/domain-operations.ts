import { domain } from '@emma/contract/resources/domain.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { generateDkimKey } from '@emma/mail/dkim/dkim-key.ts'
import type { Actor } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'
import type { Fields, Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { findOwners, lockVerification } from './domain-owners.ts'
import { type MailHostsOf, requiredRecords } from './domain-records.ts'
import { sealSecret } from './secret-box.ts'

const selectors = { rsa: 'emma', ed25519: 'emma-ed' } as const

/** Sending domains. A new one gets its own DKIM keys (RSA and Ed25519), kept sealed. */
export function domainOperations(key: Buffer, mailHostsOf: MailHostsOf): Operations {
  const standard = resourceOperations(domain, {
    table: 'domain',
    computed: ['dkim_selector', 'dkim_keys', 'dns'],
    json: ['blocklists'],
    references: [
      { type: 'campaign', table: 'campaign', column: 'domain_id', key: 'campagne_id', name: 'name' },
    ],
  })

  async function withKeys(db: Db, records: Fields[]): Promise<Fields[]> {
    if (records.length === 0) return []
    const keys = await db
      .selectFrom('dkim_key')
      .select(['domain_id', 'selector', 'algorithm', 'public_txt'])
      .where(
        'domain_id',
        'in',
        records.map(record => Number(record.domain_id)),
      )
      .where('active', '=', true)
      .orderBy('selector')
      .execute()
    return records.map(record => {
      const own = keys.filter(each => each.domain_id === record.domain_id)
      const names = {
        name: String(record.name),
        return_path_host: String(record.return_path_host),
        tracking_host: String(record.tracking_host),
      }
      return {
        ...record,
        dkim_selector: own[0]?.selector ?? null,
        dkim_keys: own.map(({ domain_id: _, ...shown }) => shown),
        dns: requiredRecords(names, own, mailHostsOf(names.name)),
      }
    })
  }

  async function withKeysOne(db: Db, record: Fields): Promise<Fields> {
    const [complete] = await withKeys(db, [record])
    return complete ?? record
  }

  return {
    ...standard,
    async list(db, actor, scope, query) {
      const page = await standard.list(db, actor, scope, query)
      return { ...page, data: await withKeys(db, page.data) }
    },
    async find(db, actor, scope, id) {
      return withKeysOne(db, await standard.find(db, actor, scope, id))
    },
    create(db, actor, clientId, input) {
      return transaction(db, async tx => {
        const name = String(input.name)
        const made = await standard.create(tx, actor, clientId, {
          ...input,
          ...hostsOf(name, input),
        })
        await addKeys(tx, key, made)
        return withKeysOne(tx, made)
      })
    },
    patch(db, actor, scope, id, input, options) {
      return transaction(db, async tx => {
        const before = await standard.find(tx, actor, scope, id)
        const hosts = hostsOf(
          String(input.name ?? before.name),
          options.whole ? input : { ...ownHosts(before), ...input },
        )
        const after = await standard.patch(tx, actor, scope, id, { ...input, ...hosts }, options)
        if (!checkedNames.some(field => after[field] !== before[field])) return withKeysOne(tx, after)
        await forgetChecks(tx, actor, after)
        return withKeysOne(tx, await standard.find(tx, actor, scope, id))
      })
    },
    restore(db, actor, scope, id) {
      return transaction(db, async tx => {
        await standard.restore(tx, actor, scope, id)
        const record = await standard.find(tx, actor, scope, id)
        if (record.status !== 'verified') return
        await lockVerification(tx)
        // Another client has proven the name meanwhile: it is theirs until the DNS says otherwise.
        if ((await findOwners(tx, record)).length > 0) await forgetChecks(tx, actor, record)
      })
    },
  }
}

/** What the DNS checks were about: when one of them changes, what was found says nothing any more. */
const checkedNames = ['name', 'return_path_host', 'tracking_host'] as const

/** Back to the state of a new domain. One that is blocked stays so: another name is no way out. */
async function forgetChecks(db: Db, actor: Actor, domain: Fields): Promise<void> {
  const status = domain.status === 'blocked' ? 'blocked' : 'new'
  await db
    .updateTable('domain')
    .set({ status, spf_ok: null, dkim_ok: null, dmarc_ok: null, mx_ok: null, cname_ok: null })
    .set({ dmarc_policy: null, last_check: null })
    .where('client_id', '=', Number(domain.client_id))
    .where('domain_id', '=', Number(domain.domain_id))
    .execute()
  if (status === domain.status) return
  await logChange(db, actor, {
    clientId: Number(domain.client_id),
    object: 'domain',
    id: Number(domain.domain_id),
    action: 'check',
    changes: { status: [domain.status, status] },
  })
}

/** The hosts somebody chose; usual names follow the domain's name. */
function ownHosts({ name, return_path_host, tracking_host }: Fields): Fields {
  const usual = hostsOf(String(name), {})
  return {
    ...(return_path_host === usual.return_path_host ? {} : { return_path_host }),
    ...(tracking_host === usual.tracking_host ? {} : { tracking_host }),
  }
}

/** Hosts of its own that a domain needs; those nobody names get their usual names. */
function hostsOf(name: string, input: Fields): Fields {
  return {
    return_path_host: input.return_path_host ?? `bounce.${name}`,
    tracking_host: input.tracking_host ?? `link.${name}`,
  }
}

async function addKeys(db: Db, key: Buffer, record: Fields): Promise<void> {
  const rows = (['rsa', 'ed25519'] as const).map(algorithm => {
    const { privatePem, publicTxt } = generateDkimKey(algorithm)
    return {
      client_id: Number(record.client_id),
      domain_id: Number(record.domain_id),
      selector: selectors[algorithm],
      algorithm,
      private_key: sealSecret(key, privatePem),
      public_txt: publicTxt,
    }
  })
  await db.insertInto('dkim_key').values(rows).execute()
}
