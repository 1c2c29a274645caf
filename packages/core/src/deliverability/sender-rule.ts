import { fault, type Fault } from '@emma/contract/faults.ts'
import { isMissing } from '@emma/contract/resource-schemas.ts'
import { ADDRESS_FAULTS, type AddressResult, parseAddress } from '@emma/mail/address.ts'
import { organisationalDomain } from '@emma/mail/domain.ts'

/** What is known of a sending domain when the sender is judged. */
export interface SenderDomain {
  name: string
  status: string
  is_blocklisted: boolean
}

/** The addresses a mail names as its sender. */
export interface SenderAddresses {
  fromadr?: unknown
  reply_to?: unknown
}

/** Why a mail must not leave with this sender. `field`: the field of the campaign or the test that has to change. */
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
 * The rule for senders, the same for campaigns, tests and transactional mail: the domain is verified and on no blocklist,
 * the sender address belongs to it, and both addresses can be used. Empty: the mail may leave.
 *
 * @param domain the client's own domain; undefined when the client has none with that key (any more)
 */
export function senderFaults(domain: SenderDomain | undefined, addresses: SenderAddresses): SenderFault[] {
  if (!domain) return [{ code: 'no_domain', field: 'domain_id', fault: fault('campaign.domain_gone') }]
  return [...domainFaults(domain), ...addressFaults(domain, addresses)]
}

/**
 * Whether an address of the host may be a sender of the domain: its own, or one below it within the same organisational
 * domain (DMARC relaxed alignment, RFC 7489, 3.1). Below a public suffix every name is somebody else's.
 */
export function isAligned(host: string, domainName: string): boolean {
  if (host !== domainName && !host.endsWith(`.${domainName}`)) return false
  const organisation = organisationalDomain(domainName)
  return organisation !== null && organisationalDomain(host) === organisation
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
      fault: fault('campaign.from_invalid', { fault: ADDRESS_FAULTS[from.reason] }),
    })
  const replyTo = senderAddress(reply_to)
  if (!isMissing(reply_to) && !replyTo.ok)
    faults.push({
      code: 'reply_to_invalid',
      field: 'reply_to',
      fault: fault('campaign.reply_to_invalid', { fault: ADDRESS_FAULTS[replyTo.reason] }),
    })
  if (from.ok && !isAligned(from.domain, domain.name))
    faults.push({
      code: 'from_unaligned',
      field: 'fromadr',
      fault: fault('campaign.from_unaligned', { domain: domain.name }),
    })
  return faults
}

/** Most receivers take letters outside ASCII from nobody: they would refuse every mail. */
function senderAddress(value: unknown): AddressResult {
  return parseAddress(typeof value === 'string' ? value : '', { asciiLocal: true })
}
