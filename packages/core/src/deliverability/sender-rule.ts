import { fault, type Fault } from '@emma/contract/faults.ts'
import { isMissing } from '@emma/contract/resource-schemas.ts'
import { type AddressResult, parseAddress } from '@emma/mail/address.ts'
import { isSameOrganisation } from '@emma/mail/domain.ts'
import { addressFault } from '../audience/address-fault.ts'

/** The properties of a sending domain that the sender rule checks. */
export interface SenderDomain {
  name: string
  status: string
  is_blocklisted: boolean
}

/** From and Reply-To addresses of a mail. */
export interface SenderAddresses {
  fromadr?: unknown
  reply_to?: unknown
}

/** Why a mail must not be sent with this sender. `field`: the field of the campaign or test to fix. */
export interface SenderFault {
  code:
    | 'no_domain'
    | 'domain_unverified'
    | 'domain_blocklisted'
    | 'from_invalid'
    | 'from_unaligned'
    | 'reply_to_invalid'
  field: 'domain_id' | 'fromadr' | 'reply_to'
  fault: Fault
}

/**
 * Sender rule of campaigns, tests and transactional mail: the domain is verified and on no blocklist, the From address
 * belongs to it, and both addresses are valid. Empty: the mail may be sent.
 *
 * @param domain the client's own domain; undefined when it does not exist (any more)
 */
export function senderFaults(domain: SenderDomain | undefined, addresses: SenderAddresses): SenderFault[] {
  if (!domain) return [{ code: 'no_domain', field: 'domain_id', fault: fault('campaign.domain_gone') }]
  return [...domainFaults(domain), ...addressFaults(domain, addresses)]
}

/**
 * Whether an address of the host may be a sender of the domain: its own or a subdomain, within the same organisational
 * domain (DMARC relaxed alignment, RFC 7489, 3.1). A public suffix aligns with nothing, as the names below it belong to
 * others.
 */
export function isAligned(host: string, domainName: string): boolean {
  if (host !== domainName && !host.endsWith(`.${domainName}`)) return false
  return isSameOrganisation(domainName, host)
}

function domainFaults({ name, status, is_blocklisted }: SenderDomain): SenderFault[] {
  const faults: SenderFault[] = []
  if (status !== 'verified')
    faults.push({
      code: 'domain_unverified',
      field: 'domain_id',
      fault: fault('campaign.domain_unverified', { domain: name }),
    })
  if (is_blocklisted)
    faults.push({
      code: 'domain_blocklisted',
      field: 'domain_id',
      fault: fault('campaign.domain_blocklisted', { domain: name }),
    })
  return faults
}

function addressFaults(domain: SenderDomain, { fromadr, reply_to }: SenderAddresses): SenderFault[] {
  const faults: SenderFault[] = []
  const from = senderAddress(fromadr)
  if (!isMissing(fromadr) && !from.ok)
    faults.push({
      code: 'from_invalid',
      field: 'fromadr',
      fault: fault('campaign.from_invalid', { fault: addressFault(from.reason) }),
    })
  const replyTo = senderAddress(reply_to)
  if (!isMissing(reply_to) && !replyTo.ok)
    faults.push({
      code: 'reply_to_invalid',
      field: 'reply_to',
      fault: fault('campaign.reply_to_invalid', { fault: addressFault(replyTo.reason) }),
    })
  if (from.ok && !isAligned(from.domain, domain.name))
    faults.push({
      code: 'from_unaligned',
      field: 'fromadr',
      fault: fault('campaign.from_unaligned', { domain: domain.name }),
    })
  return faults
}

/**
 * Requires an ASCII local part: most receiving servers reject internationalised sender addresses, so every mail would
 * bounce.
 */
function senderAddress(value: unknown): AddressResult {
  return parseAddress(typeof value === 'string' ? value : '', { asciiLocal: true })
}
