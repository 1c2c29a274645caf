import { addressFaults } from '@emma/contract/address-faults.ts'
import { type Fault, fault } from '@emma/contract/faults.ts'
import type { AddressFault } from '@emma/mail/address.ts'

/** Made once each: a file of a million broken addresses makes no garbage. */
const faults: ReadonlyMap<string, Fault> = new Map(
  Object.keys(addressFaults).map(reason => [reason, fault(`address.${reason as AddressFault}`)]),
)

/** Why an address or a domain is refused. */
export function addressFault(reason: AddressFault): Fault {
  return faults.get(reason) ?? fault(`address.${reason}`)
}
