import { EmmaError } from '@emma/contract/errors.ts'
import type { Patch, Row } from '@emma/contract/resource-schemas.ts'
import { domain } from '@emma/contract/resources/domain.ts'
import { pmt } from '@emma/contract/resources/pmt.ts'
import { webform } from '@emma/contract/resources/webform.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { generateDkimKey } from '@emma/mail/dkim/dkim-key.ts'
import { campaignReferences } from '../campaigns/campaign-references.ts'
import type { Actor } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'
import type { Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { findOwners, lockVerification } from './domain-owners.ts'
import { type MailHostsOf, requiredRecords } from './domain-records.ts'
import { sealSecret } from './secret-box.ts'

type Domain = Row<typeof domain>
type Stored = Omit<Domain, 'dkim_selector' | 'dkim_keys' | 'dns'>
type Hosts = Pick<Patch<typeof domain>, 'return_path_host' | 'tracking_host'>

const selectors = { rsa: 'emma', ed25519: 'emma-ed' } as const

/** CRUD operations of sending domains. A new domain gets its own DKIM keys (RSA and Ed25519), stored encrypted. */
export function domainOperations(key: Buffer, mailHostsOf: MailHostsOf): Operations<typeof domain> {
  const standard = resourceOperations(domain, {
    table: 'domain',
    added: ['dkim_selector', 'dkim_keys', 'dns'],
    json: ['blocklists'],
    references: [
      ...campaignReferences('domain_id'),
      { resource: pmt, column: 'domain_id' },
      { resource: webform, column: 'domain_id' },
    ],
  })

  async function withKeys(db: Db, records: Stored[]): Promise<Domain[]> {
    if (records.length === 0) return []
    const keys = await db
      .selectFrom('dkim_key')
      .select(['domain_id', 'selector', 'public_txt'])
      .select(eb => eb.ref('algorithm').$castTo<keyof typeof selectors>().as('algorithm'))
      .where(
        'domain_id',
        'in',
        records.map(record => record.domain_id),
      )
      .where('active', '=', true)
      .orderBy('selector')
      .execute()
    return records.map(record => {
      const names = { name: record.name, ...hostsOf(record.name, record) }
      const own = keys.filter(each => each.domain_id === record.domain_id)
      return {
        ...record,
        dkim_selector: own[0]?.selector ?? null,
        dkim_keys: own.map(({ domain_id: _, ...shown }) => shown),
        dns: requiredRecords(names, own, mailHostsOf(record.name)),
      }
    })
  }

  async function withKeysOne(db: Db, record: Stored): Promise<Domain> {
    const [complete] = await withKeys(db, [record])
    if (!complete) throw new EmmaError('not_found')
    return complete
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
        const made = await standard.create(tx, actor, clientId, {
          ...input,
          ...hostsOf(input.name, input),
        })
        await addKeys(tx, key, made)
        return withKeysOne(tx, made)
      })
    },
    patch(db, actor, scope, id, input, options) {
      return transaction(db, async tx => {
        const before = await standard.find(tx, actor, scope, id)
        const hosts = hostsOf(
          input.name ?? before.name,
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
        // Another client has verified the name meanwhile and keeps it until the DNS changes.
        if ((await findOwners(tx, record)).length > 0) await forgetChecks(tx, actor, record)
      })
    },
  }
}

/** Names that the DNS checks depend on; a change of one invalidates the results. */
const checkedNames = ['name', 'return_path_host', 'tracking_host'] as const

/** Resets a domain to the state `new`. A blocked one stays blocked, so that renaming does not evade the block. */
async function forgetChecks(db: Db, actor: Actor, domain: Stored): Promise<void> {
  const status = domain.status === 'blocked' ? 'blocked' : 'new'
  await db
    .updateTable('domain')
    .set({ status, spf_ok: null, dkim_ok: null, dmarc_ok: null, mx_ok: null, cname_ok: null })
    .set({ dmarc_policy: null, last_check: null })
    .where('client_id', '=', domain.client_id)
    .where('domain_id', '=', domain.domain_id)
    .execute()
  if (status === domain.status) return
  await logChange(db, actor, {
    clientId: domain.client_id,
    object: 'domain',
    id: domain.domain_id,
    action: 'check',
    changes: { status: [domain.status, status] },
  })
}

/** The hosts chosen by a user; default ones follow the domain's name. */
function ownHosts({ name, return_path_host, tracking_host }: Stored): Hosts {
  const usual = hostsOf(name, {})
  return {
    ...(return_path_host === usual.return_path_host ? {} : { return_path_host }),
    ...(tracking_host === usual.tracking_host ? {} : { tracking_host }),
  }
}

/** Return path and tracking host of a domain, with defaults derived from its name. */
function hostsOf(name: string, input: Hosts) {
  return {
    return_path_host: input.return_path_host ?? `bounce.${name}`,
    tracking_host: input.tracking_host ?? `link.${name}`,
  }
}

async function addKeys(db: Db, key: Buffer, record: Stored): Promise<void> {
  const rows = (['rsa', 'ed25519'] as const).map(algorithm => {
    const { privatePem, publicTxt } = generateDkimKey(algorithm)
    return {
      client_id: record.client_id,
      domain_id: record.domain_id,
      selector: selectors[algorithm],
      algorithm,
      private_key: sealSecret(key, privatePem),
      public_txt: publicTxt,
    }
  })
  await db.insertInto('dkim_key').values(rows).execute()
}
