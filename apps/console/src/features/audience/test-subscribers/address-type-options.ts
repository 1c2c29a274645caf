import { addressTypes } from '@emma/contract/resources/testaddress.ts'

type AddressType = (typeof addressTypes)[number]

/** Options of the test subscriber types, sorted by label in the user's language (R019). */
export function addressTypeOptions(
  label: (type: AddressType) => string,
  language: string | undefined,
): { value: AddressType; label: string }[] {
  return addressTypes
    .map(value => ({ value, label: label(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, language))
}
