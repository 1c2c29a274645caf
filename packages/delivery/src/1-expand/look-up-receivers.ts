import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { CampaignKey } from '../model/campaign-key.ts'
import { addressDomainOf } from '@emma/core/audience/address.ts'

/** Resolves the mail exchangers of a domain, preferred first; empty if there are none or DNS failed. */
export type ResolveMx = (domain: string) => Promise<string[]>

/** Days until a result is looked up again, and until a failure is. */
const KEEP_DAYS = 7
const KEEP_SILENCE_HOURS = 1

/** Concurrent lookups, and domains of one campaign looked up before it starts: those with most members first. */
const AT_ONCE = 50
const MOST_BEFORE_START = 5_000
/**
 * Milliseconds for lookups: unresponsive DNS must not delay a campaign longer. The remaining domains follow with the
 * next campaign.
 */
const LONGEST_BEFORE_START = 20_000

/**
 * Looks up the mailbox providers of a campaign's datasource that are unknown. Domains with a common host belong to
 * one provider: an existing one by its MX patterns, otherwise one is created and named after the host.
 * @returns the number of domains looked up
 */
export async function lookUpReceivers(db: Db, key: CampaignKey, resolveMx: ResolveMx): Promise<number> {
  const campaign = await db
    .selectFrom('campaign')
    .select('member_table_id')
    .where('client_id', '=', key.clientId)
    .where('campagne_id', '=', key.campaignId)
    .executeTakeFirst()
  if (!campaign || campaign.member_table_id === null) return 0
  const { rows } = await sql<{ domain: string }>`
    select domain from (
      select ${addressDomainOf(sql.ref('email'))} as domain, count(*) as members
      from ${sql.id('members', `t${campaign.member_table_id}`)}
      where client_id = ${key.clientId}
      group by 1
    ) used
    where domain <> '' and not exists (
        select from receiving_domain r where r.domain = used.domain and r.expires_at > now())
      and not exists (
        select from provider p, unnest(p.domains) as written
        where lower(written) = used.domain and p.deleted_at is null)
    order by members desc, domain
    limit ${MOST_BEFORE_START}`.execute(db)
  const queue = rows.values()
  const answers: { domain: string; hosts: string[] }[] = []
  const end = performance.now() + LONGEST_BEFORE_START
  const worker = async () => {
    for (const { domain } of queue) {
      answers.push({ domain, hosts: await hostsOf(domain, resolveMx) })
      if (performance.now() >= end) return
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  // Sequential, so that two domains with a common host find the same provider.
  for (const { domain, hosts } of answers) await keepReceiver(db, domain, hosts)
  return answers.length
}

async function hostsOf(domain: string, resolveMx: ResolveMx): Promise<string[]> {
  const hosts = await resolveMx(domain).catch(() => [])
  return hosts.map(host => host.toLowerCase().replace(/\.$/, '')).filter(host => host !== '')
}

/** Provider ids are small integers: automatic ones leave room for manual ones. */
const MOST_PROVIDERS = 20_000

async function keepReceiver(db: Db, domain: string, hosts: readonly string[]): Promise<void> {
  const [host] = hosts
  const hours = host === undefined ? KEEP_SILENCE_HOURS : KEEP_DAYS * 24
  await sql`
    insert into receiving_domain (domain, hosts, expires_at)
    values (${domain}, ${hosts}::text[], now() + make_interval(hours => ${hours}))
    -- A DNS that is silent for a while says nothing of who takes the mail.
    on conflict (domain) do update set expires_at = excluded.expires_at,
      hosts = case when excluded.hosts = '{}' then receiving_domain.hosts else excluded.hosts end`.execute(db)
  if (host === undefined) return
  await sql`
    with sharing as (
      select domain, provider_id from receiving_domain where hosts && ${hosts}::text[]
    ), known as (
      select provider_id from (
        select provider_id, true as is_named
        from provider, unnest(mx_patterns) as pattern, unnest(${hosts}::text[]) as host
        where deleted_at is null and host like lower(pattern)
        union all
        -- Hosts that one domain has and others share are one provider with those that others have.
        select provider_id, false
        from sharing join provider using (provider_id)
        where deleted_at is null and domain <> ${domain}
      ) candidate
      order by is_named desc, provider_id limit 1
    ), made as (
      insert into provider (name, mx_patterns)
      select ${host}::text, array[replace(replace(${host}::text, '\\', '\\\\'), '_', '\\_')]
      where not exists (select from known) and (select count(*) from sharing) > 1
        and (select count(*) from provider) < ${MOST_PROVIDERS}
      on conflict do nothing
      returning provider_id
    ), found as (
      select provider_id from known union all select provider_id from made
    )
    update receiving_domain r set provider_id = (select provider_id from found limit 1)
    where r.domain = ${domain} or exists (select from found) and r.domain in (
        select domain from sharing where provider_id is null)`.execute(db)
}
