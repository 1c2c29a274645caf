import { EmmaError } from '@emma/contract/errors.ts'
import type { Row } from '@emma/contract/resource-schemas.ts'
import type { DnsStep, domain as resource } from '@emma/contract/resources/domain.ts'
import { addNotification } from '@emma/db/add-notification.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { type Actor, systemActor, type TenantScope } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'
import type { Operations } from '../resource/operations.ts'
import { findOwners, lockVerification } from './domain-owners.ts'
import { fault } from '@emma/contract/faults.ts'

type Domain = Row<typeof resource>

/** DNS resolver: record values of a name, empty when there are none. */
export interface Resolver {
  resolve(host: string, type: DnsStep['type']): Promise<string[]>
}

/**
 * Looks up every record that the domain needs and stores the result: verified when SPF, DKIM, DMARC and the return path
 * are correct, failed otherwise. Returns the domain with its steps filled in.
 *
 * @throws EmmaError `conflict` when its names belong to another client, `faulty_revision` when the domain was changed
 * during the lookup
 */
export async function verifyDomain(
  db: Db,
  operations: Operations<typeof resource>,
  resolver: Resolver,
  actor: Actor,
  scope: TenantScope,
  id: number,
): Promise<Domain> {
  const domain = await operations.find(db, actor, scope, id)
  const steps = await checkRecords(resolver, domain)
  if (isProven(domain, steps)) await recheckOwners(db, operations, resolver, domain)
  const { isTaken } = await transaction(db, tx => keepResult(tx, actor, domain, steps))
  if (isTaken) throw new EmmaError('conflict', fault('refusal.domain_taken', { domain: domain.name }))
  return { ...(await operations.find(db, actor, scope, id)), dns: steps }
}

function checkRecords(resolver: Resolver, domain: Domain): Promise<DnsStep[]> {
  return Promise.all(domain.dns.map(step => check(resolver, step)))
}

/** Result of each part of the domain. */
function resultOf(domain: Domain, steps: readonly DnsStep[]) {
  const allRight = (test: (step: DnsStep) => boolean) => steps.filter(test).every(step => step.ok === true)
  return {
    spf_ok: allRight(step => step.host === domain.name),
    dkim_ok: allRight(step => step.host.includes('._domainkey.')),
    dmarc_ok: allRight(step => step.host.startsWith('_dmarc.')),
    mx_ok: allRight(step => step.type === 'MX'),
    cname_ok: allRight(step => step.host === domain.tracking_host),
    dmarc_strict: steps.some(step => step.host.startsWith('_dmarc.') && step.found.some(isStrict)),
  }
}

/** Whether a DMARC record demands the same domain in From and DKIM signature (RFC 7489, 6.3: adkim). */
function isStrict(record: string): boolean {
  return record
    .toLowerCase()
    .split(';')
    .some(tag => tag.replaceAll(/\s/g, '') === 'adkim=s')
}

function isProven(domain: Domain, steps: readonly DnsStep[]): boolean {
  const result = resultOf(domain, steps)
  return result.spf_ok && result.dkim_ok && result.dmarc_ok && result.mx_ok
}

/**
 * Stores the result unless the domain was changed since, as it would be the result of another name. A name is verified
 * for one client at a time; the lock serializes clients that verify the same name.
 */
async function keepResult(
  db: Db,
  actor: Actor,
  domain: Domain,
  steps: readonly DnsStep[],
): Promise<{ isTaken: boolean }> {
  await lockVerification(db)
  const proven = isProven(domain, steps)
  const isTaken = proven && (await findOwners(db, domain)).length > 0
  const clientId = domain.client_id
  const id = domain.domain_id
  const status = domain.status === 'blocked' ? 'blocked' : proven && !isTaken ? 'verified' : 'failed'
  const kept = await db
    .updateTable('domain')
    .set({ ...resultOf(domain, steps), status, last_check: new Date().toISOString() })
    .where('client_id', '=', clientId)
    .where('domain_id', '=', id)
    .where('revision', '=', domain.revision)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (kept.numUpdatedRows === 0n) throw new EmmaError('faulty_revision')
  if (status === domain.status) return { isTaken }
  await logChange(db, actor, {
    clientId,
    object: 'domain',
    id,
    action: 'check',
    changes: { status: [domain.status, status] },
  })
  await notify(db, domain, status)
  return { isTaken }
}

/**
 * Checks the current owners of the domain's names again: control of the DNS decides, so an owner whose records are gone
 * loses the name.
 */
async function recheckOwners(
  db: Db,
  operations: Operations<typeof resource>,
  resolver: Resolver,
  domain: Domain,
): Promise<void> {
  for (const { client_id, domain_id } of await findOwners(db, domain)) {
    const actor = systemActor(client_id)
    const owner = await operations.find(db, actor, { clientIds: [client_id] }, domain_id)
    const steps = await checkRecords(resolver, owner)
    if (!isProven(owner, steps)) await transaction(db, tx => keepResult(tx, actor, owner, steps))
  }
}

/** Notifies the users with access to domains that a domain is verified or has failed. */
async function notify(
  db: Db,
  { client_id: clientId, domain_id: id, name }: Domain,
  status: string,
): Promise<void> {
  if (status === 'blocked') return
  await addNotification(db, {
    clientId: clientId,
    permission: 'EmmaDomain:get',
    kind: status === 'verified' ? 'success' : 'warning',
    code: status === 'verified' ? 'domain_verified' : 'domain_failed',
    details: { name: name },
    text:
      status === 'verified'
        ? `The domain ${name} is verified: all its DNS records are in place.`
        : `The domain ${name} is not verified: some of its DNS records are missing or wrong.`,
    path: `/settings/domains/edit/${id}`,
  })
}

async function check(resolver: Resolver, step: DnsStep): Promise<DnsStep> {
  const found = await resolver.resolve(step.host, step.type)
  return { ...step, found, ok: found.some(value => fits(step, value)) }
}

/** SPF and DMARC records may contain more than expected; all others must equal the expected value. */
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

/** Marks a built-in domain as verified. The testbed's DNS answers for it, so its check confirms this every time. */
export async function setVerified(db: Db, clientId: number, domainId: number): Promise<void> {
  await db
    .updateTable('domain')
    .set({ status: 'verified', spf_ok: true, dkim_ok: true, dmarc_ok: true, mx_ok: true })
    .where('client_id', '=', clientId)
    .where('domain_id', '=', domainId)
    .execute()
}
