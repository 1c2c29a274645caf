import { createHash } from 'node:crypto'
import { type FieldError, fieldError } from '@emma/contract/errors.ts'
import { type Fault, fault } from '@emma/contract/faults.ts'
import type { blacklistMatches } from '@emma/contract/resources/blacklist.ts'
import { addressKey, parseAddress } from '@emma/mail/address.ts'
import { parseDomain } from '@emma/mail/domain.ts'
import { addressFault } from '../address-fault.ts'

export type BlacklistMatch = (typeof blacklistMatches)[number]

export type SuppressionValue = { ok: true; value: string } | { ok: false; fault: Fault }

/** An invalid value of a suppression list, with its index. */
export function suppressionError(index: number, value: string, reason: Fault): FieldError {
  return fieldError(`values.${index}`, 'field.suppression_value', {
    value: value.slice(0, 100),
    fault: reason,
  })
}

/**
 * Normalises a value to the form of a suppression list: lower-case address, domain, or hex digest of the lower-case
 * address. A hashed list also accepts addresses and stores their digests.
 */
export function readSuppressionValue(match: BlacklistMatch, input: string): SuppressionValue {
  const text = input.trim()
  switch (match) {
    case 'email':
      return readAddress(text)
    case 'domain': {
      const parsed = parseDomain(text.startsWith('@') ? text.slice(1) : text)
      return parsed.ok
        ? { ok: true, value: parsed.domain }
        : { ok: false, fault: addressFault(parsed.reason) }
    }
    case 'md5':
    case 'sha256':
      return readDigest(match, text)
  }
}

function readAddress(text: string): SuppressionValue {
  const parsed = parseAddress(text)
  return parsed.ok
    ? { ok: true, value: addressKey(parsed.email) }
    : { ok: false, fault: addressFault(parsed.reason) }
}

const digestLength = { md5: 32, sha256: 64 }

function readDigest(match: 'md5' | 'sha256', text: string): SuppressionValue {
  if (text.includes('@')) {
    const address = readAddress(text)
    if (!address.ok) return address
    return { ok: true, value: createHash(match).update(address.value).digest('hex') }
  }
  const length = digestLength[match]
  return text.length === length && /^[0-9a-fA-F]+$/.test(text)
    ? { ok: true, value: text.toLowerCase() }
    : { ok: false, fault: fault('cell.digest', { match, length }) }
}
