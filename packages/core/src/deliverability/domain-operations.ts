import { domain } from '@emma/contract/resources/domain.ts'
import { type Sql, transaction } from '@emma/db/connection.ts'
import { generateDkimKey } from '@emma/mail/dkim/dkim-key.ts'
import type { Fields, Operations } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { type HouseOf, requiredRecords } from './domain-records.ts'
import { sealSecret } from './secret-box.ts'

const selectors = { rsa: 'emma', ed25519: 'emma-ed' } as const

/** Sending domains. A new one gets its own DKIM keys (RSA and Ed25519), kept sealed. */
export function domainOperations(key: Buffer, houseOf: HouseOf): Operations {
  const standard = resourceOperations(domain, {
    table: 'domain',
    computed: ['dkim_selector', 'dkim_keys', 'dns'],
    json: ['blocklists'],
    references: [
      { type: 'campaign', table: 'campaign', column: 'domain_id', key: 'campagne_id', name: 'name' },
    ],
  })

  async function withKeys(sql: Sql, records: Fields[]): Promise<Fields[]> {
    if (records.length === 0) return []
    const keys = await sql
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
        dns: requiredRecords(names, own, houseOf(names.name)),
      }
    })
  }

  async function withKeysOne(sql: Sql, record: Fields): Promise<Fields> {
    const [complete] = await withKeys(sql, [record])
    return complete ?? record
  }

  return {
    ...standard,
    async list(sql, actor, scope, query) {
      const page = await standard.list(sql, actor, scope, query)
      return { ...page, data: await withKeys(sql, page.data) }
    },
    async find(sql, actor, scope, id) {
      return withKeysOne(sql, await standard.find(sql, actor, scope, id))
    },
    create(sql, actor, clientId, input) {
      return transaction(sql, async tx => {
        const name = String(input.name)
        const made = await standard.create(tx, actor, clientId, {
          ...input,
          ...hostsOf(name, input),
        })
        await addKeys(tx, key, made)
        return withKeysOne(tx, made)
      })
    },
    patch(sql, actor, scope, id, input, options) {
      return transaction(sql, async tx => {
        const before = await standard.find(tx, actor, scope, id)
        const hosts = hostsOf(
          String(input.name ?? before.name),
          options.whole ? input : { ...before, ...input },
        )
        return withKeysOne(tx, await standard.patch(tx, actor, scope, id, { ...input, ...hosts }, options))
      })
    },
  }
}

/** Hosts of its own that a domain needs; those nobody names get their usual names. */
function hostsOf(name: string, input: Fields): Fields {
  return {
    return_path_host: input.return_path_host ?? `bounce.${name}`,
    tracking_host: input.tracking_host ?? `link.${name}`,
  }
}

async function addKeys(sql: Sql, key: Buffer, record: Fields): Promise<void> {
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
  await sql.insertInto('dkim_key').values(rows).execute()
}
