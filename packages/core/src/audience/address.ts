import { type RawBuilder, sql } from 'kysely'

/** An address as it is compared: two that differ in case alone are one. In SQL as in `addressKey` of mail/address.ts. */
export function addressKeyOf(email: RawBuilder<unknown>): RawBuilder<string> {
  return sql`lower(${email})`
}

/** The domain of an address, in lower case: what follows the last @. In SQL as in `addressDomain` of mail/address.ts. */
export function addressDomainOf(email: RawBuilder<unknown>): RawBuilder<string> {
  return sql`split_part(lower(${email}), '@', -1)`
}
