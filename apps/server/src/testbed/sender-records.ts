import { findDkimText, findDmarcPolicy, findDomainsOfHost } from '@emma/core/deliverability/mail-hosts.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Answer, ZoneLookup } from '@emma/testbed/zone.ts'

/** The testbed and every sending role are on this machine. */
const ADDRESS = '127.0.0.1'
const SPF: Answer = { type: 'TXT', text: `v=spf1 ip4:${ADDRESS} -all` }

/**
 * DNS records of the sender domains as if the operator had published everything the console asks for: DKIM keys, SPF,
 * DMARC, the return path and the tracking host of every domain in the installation.
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
  const policy = await findDmarcPolicy(db, domain)
  if (policy === undefined) return null
  return [{ type: 'TXT', text: policy.startsWith('v=DMARC1') ? policy : `v=DMARC1; p=${policy}` }]
}

async function dkimRecord(db: Db, selector: string, domain: string): Promise<Answer[] | null> {
  const text = await findDkimText(db, selector, domain)
  return text === undefined ? null : [{ type: 'TXT', text }]
}

async function hostRecords(db: Db, name: string): Promise<Answer[] | null> {
  const domains = await findDomainsOfHost(db, name)
  if (domains.length === 0) return null
  const here: Answer = { type: 'A', value: ADDRESS }
  const receives = domains.find(domain => domain.name === name || domain.return_path_host === name)
  if (!receives) return [here]
  return [here, SPF, { type: 'MX', preference: 10, exchange: receives.return_path_host ?? receives.name }]
}
