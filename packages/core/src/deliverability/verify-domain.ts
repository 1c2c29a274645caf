import { addNotification } from '@emma/db/add-notification.ts'
import type { Sql } from '@emma/db/connection.ts'
import type { Actor, TenantScope } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'
import type { Fields, Operations } from '../resource/operations.ts'
import type { DnsStep } from './domain-records.ts'

/** The DNS as the check sees it: values of the records of a name, empty when there are none. */
export interface Resolver {
  resolve(host: string, type: DnsStep['type']): Promise<string[]>
}

/**
 * Asks the DNS for every record the domain needs and keeps what was found: verified when SPF, DKIM, DMARC and the return
 * path are right, failed otherwise. Answers the domain with its steps filled in.
 */
export async function verifyDomain(
  sql: Sql,
  operations: Operations,
  resolver: Resolver,
  actor: Actor,
  scope: TenantScope,
  id: number,
): Promise<Fields> {
  const domain = await operations.find(sql, actor, scope, id)
  const steps = await Promise.all(stepsOf(domain).map(step => check(resolver, step)))
  const allRight = (test: (step: DnsStep) => boolean) => steps.filter(test).every(step => step.ok === true)
  const found = {
    spf_ok: allRight(step => step.host === domain.name),
    dkim_ok: allRight(step => step.host.includes('._domainkey.')),
    dmarc_ok: allRight(step => step.host.startsWith('_dmarc.')),
    mx_ok: allRight(step => step.type === 'MX'),
    cname_ok: allRight(step => step.host === domain.tracking_host),
  }
  const verified = found.spf_ok && found.dkim_ok && found.dmarc_ok && found.mx_ok
  const status = domain.status === 'blocked' ? 'blocked' : verified ? 'verified' : 'failed'
  await sql
    .updateTable('domain')
    .set({ ...found, status, last_check: new Date().toISOString() })
    .where('client_id', '=', Number(domain.client_id))
    .where('domain_id', '=', id)
    .execute()
  if (status !== domain.status) {
    await logChange(sql, actor, {
      clientId: Number(domain.client_id),
      object: 'domain',
      id,
      action: 'check',
      changes: { status: [domain.status, status] },
    })
    await notify(sql, domain, status)
  }
  return { ...(await operations.find(sql, actor, scope, id)), dns: steps }
}

/** All who look after domains hear of one that may be used now, or that lost its records. */
async function notify(
  sql: Sql,
  { client_id: clientId, domain_id: id, name }: Fields,
  status: string,
): Promise<void> {
  if (status === 'blocked') return
  await addNotification(sql, {
    clientId: Number(clientId),
    permission: 'EmmaDomain:get',
    kind: status === 'verified' ? 'success' : 'warning',
    code: status === 'verified' ? 'domain_verified' : 'domain_failed',
    details: { name: String(name) },
    text:
      status === 'verified'
        ? `The domain ${String(name)} is verified: all its DNS records are in place.`
        : `The domain ${String(name)} is not verified: some of its DNS records are missing or wrong.`,
    path: `/settings/domains/edit/${String(id)}`,
  })
}

function stepsOf(domain: Fields): DnsStep[] {
  return Array.isArray(domain.dns) ? domain.dns : []
}

async function check(resolver: Resolver, step: DnsStep): Promise<DnsStep> {
  const found = await resolver.resolve(step.host, step.type)
  return { ...step, found, ok: found.some(value => fits(step, value)) }
}

/** SPF and DMARC may say more than asked; the others must be what was asked. */
function fits(step: DnsStep, value: string): boolean {
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim().replace(/\.$/, '').toLowerCase()
  if (step.host.startsWith('_dmarc.')) return plain(value).startsWith('v=dmarc1')
  if (step.expected.startsWith('v=spf1')) {
    const [, mechanism = ''] = step.expected.split(' ')
    return plain(value).startsWith('v=spf1') && plain(value).includes(mechanism.toLowerCase())
  }
  if (step.host.includes('._domainkey.')) return keyOf(value) === keyOf(step.expected)
  return plain(value) === plain(step.expected)
}

function keyOf(record: string): string {
  return /p=([A-Za-z0-9+/=\s]*)/.exec(record)?.[1]?.replace(/\s/g, '') ?? ''
}
