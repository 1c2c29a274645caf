import { addressTypes } from '@emma/contract/resources/testaddress.ts'

type AddressType = (typeof addressTypes)[number]

/** The kinds of test subscribers with their labels, sorted by label in the person's language (R019). */
export function addressTypeOptions(
  label: (type: AddressType) => string,
  language: string | undefined,
): { value: AddressType; label: string }[] {
  return addressTypes
    .map(value => ({ value, label: label(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, language))
}
