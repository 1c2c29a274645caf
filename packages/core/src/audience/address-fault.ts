import { addressFaults } from '@emma/contract/address-faults.ts'
import { type Fault, fault } from '@emma/contract/faults.ts'
import type { AddressFault } from '@emma/mail/address.ts'

/** Created once each: a file with a million invalid addresses allocates none. */
const faults: ReadonlyMap<string, Fault> = new Map(
  Object.keys(addressFaults).map(reason => [reason, fault(`address.${reason as AddressFault}`)]),
)

/** Fault of an invalid address or domain. */
export function addressFault(reason: AddressFault): Fault {
  return faults.get(reason) ?? fault(`address.${reason}`)
}
