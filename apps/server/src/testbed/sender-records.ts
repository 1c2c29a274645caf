import type { Db } from '@emma/db/connection.ts'
import type { Answer, ZoneLookup } from '@emma/testbed/zone.ts'

/** The testbed and every role that sends are on this machine. */
const ADDRESS = '127.0.0.1'
const SPF: Answer = { type: 'TXT', text: `v=spf1 ip4:${ADDRESS} -all` }

/**
 * What the DNS of the sender domains would say had the operator published everything the console asks for: DKIM keys,
 * SPF, DMARC, the return path and the tracking host of every domain in the installation, whoever owns it.
 */
export function senderRecords(db: Db): ZoneLookup {
  return async name => {
    if (name.startsWith('_dmarc.')) return dmarcRecord(db, name.slice('_dmarc.'.length))
    const [selector, domain] = name.split('._domainkey.')
    if (selector !== undefined && domain !== undefined) return dkimRecord(db, selector, domain)
    return hostRecords(db, name)
  }
}

async function dmarcRecord(db: Db, domain: string): Promise<Answer[] | null> {
  const row = await db
    .selectFrom('domain')
    .select('dmarc_policy')
    .where('name', '=', domain)
    .where('deleted_at', 'is', null)
    .orderBy('domain_id')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const policy = row.dmarc_policy ?? 'none'
  return [{ type: 'TXT', text: policy.startsWith('v=DMARC1') ? policy : `v=DMARC1; p=${policy}` }]
}

/** Two tenants may share a domain, not a selector with another key: the newest is the one that was published last. */
async function dkimRecord(db: Db, selector: string, domain: string): Promise<Answer[] | null> {
  const row = await db
    .selectFrom('dkim_key')
    .innerJoin('domain', join =>
      join
        .onRef('domain.client_id', '=', 'dkim_key.client_id')
        .onRef('domain.domain_id', '=', 'dkim_key.domain_id'),
    )
    .select('dkim_key.public_txt')
    .where('domain.name', '=', domain)
    .where('domain.deleted_at', 'is', null)
    .where('dkim_key.selector', '=', selector)
    .where('dkim_key.active', '=', true)
    .orderBy('dkim_key.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? [{ type: 'TXT', text: row.public_txt }] : null
}

async function hostRecords(db: Db, name: string): Promise<Answer[] | null> {
  const rows = await db
    .selectFrom('domain')
    .select(['name', 'return_path_host'])
    .where('deleted_at', 'is', null)
    .where(where =>
      where.or([
        where('name', '=', name),
        where('return_path_host', '=', name),
        where('tracking_host', '=', name),
      ]),
    )
    .execute()
  if (rows.length === 0) return null
  const here: Answer = { type: 'A', value: ADDRESS }
  const receives = rows.find(row => row.name === name || row.return_path_host === name)
  if (!receives) return [here]
  return [here, SPF, { type: 'MX', preference: 10, exchange: receives.return_path_host ?? receives.name }]
}
