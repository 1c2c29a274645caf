import { fault, type Fault, reasonOf } from '@emma/contract/faults.ts'
import { isPage, type Process } from '@emma/contract/resources/pmt.ts'
import type { Db } from '@emma/db/connection.ts'
import { addressDomain, addressKey } from '@emma/mail/address.ts'
import { sql } from 'kysely'
import { findSendingFaults } from '../campaigns/sending-faults.ts'
import { isAligned } from '../deliverability/sender-rule.ts'

/** Sender and sending route of a client's process mails. */
export interface ProcessSender {
  domainId: number
  mailclassId: number
  sender: { address: string; name: string; replyTo: string | null }
}

/** A sender, or why nothing can be sent. */
export type ProcessSenderResult = { sender: ProcessSender; fault: null } | { sender: null; fault: Fault }

/**
 * Finds the sender of a client's process mails. Domain: the text's own, else the one of the client's contact address,
 * else the first verified one. Address: the contact address if the domain may send it, else `no-reply@` the domain,
 * with replies to the contact address. Mail class: the first active one for transactional mail, else the first active
 * one; never one for tests.
 *
 * @param domainId of the text; null: none
 */
export async function findProcessSender(
  db: Db,
  clientId: number,
  domainId: number | null,
): Promise<ProcessSenderResult> {
  const client = await db
    .selectFrom('client')
    .select(['name', 'contact_email'])
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  const contact = client?.contact_email ?? null
  const domain = await findDomain(db, clientId, domainId, contact)
  if (!domain) return failed(fault(domainId === null ? 'campaign.no_domain' : 'campaign.domain_gone'))
  const mailclassId = await findMailclass(db, clientId)
  if (mailclassId === null) return failed(fault('campaign.no_mailclass'))
  const isOwn = contact !== null && isAligned(addressDomain(addressKey(contact)), domain.name)
  const sender: ProcessSender = {
    domainId: domain.domain_id,
    mailclassId,
    sender: {
      address: isOwn ? contact : `no-reply@${domain.name}`,
      name: client?.name ?? '',
      replyTo: isOwn ? null : contact,
    },
  }
  const { address, replyTo } = sender.sender
  const route = { clientId, domainId: sender.domainId, mailclassId, espId: null, fromadr: address, replyTo }
  const [faults = []] = await findSendingFaults(db, [route])
  return faults[0] ? failed(faults[0].fault) : { sender, fault: null }
}

function failed(reason: Fault): ProcessSenderResult {
  return { sender: null, fault: reason }
}

async function findDomain(db: Db, clientId: number, domainId: number | null, contact: string | null) {
  const host = contact === null ? '' : addressDomain(addressKey(contact))
  const { rows } = await sql<{ domain_id: number; name: string }>`
    select domain_id, name from domain
    where client_id = ${clientId} and deleted_at is null
      and case when ${domainId}::bigint is null then purpose <> 'tracking' else domain_id = ${domainId}::bigint end
    order by status = 'verified' desc, is_blocklisted,
      (${host} = name or right(${host}, length(name) + 1) = '.' || name) desc, domain_id
    limit 1`.execute(db)
  return rows[0]
}

async function findMailclass(db: Db, clientId: number): Promise<number | null> {
  const { rows } = await sql<{ mailclass_id: number }>`
    select mailclass_id from mailclass
    where client_id = ${clientId} and deleted_at is null and active and type <> 'test'
    order by type = 'transactional' desc, type = 'bulk' desc, mailclass_id
    limit 1`.execute(db)
  return rows[0]?.mailclass_id ?? null
}

/** Why a process mail cannot be sent, as a finding beside those of its text; empty for pages. */
export async function senderFindings(
  db: Db,
  clientId: number,
  { process, domain_id }: { process: Process; domain_id?: number | null | undefined },
) {
  if (isPage(process)) return []
  const { fault: found } = await findProcessSender(db, clientId, domain_id ?? null)
  if (!found) return []
  return [{ code: 'sender', severity: 'warning' as const, part: 'html' as const, ...reasonOf(found) }]
}
