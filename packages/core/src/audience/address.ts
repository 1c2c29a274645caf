import { type RawBuilder, sql } from 'kysely'

/** SQL of the form in which addresses are compared (lower case), as `addressKey` in mail/address.ts. */
export function addressKeyOf(email: RawBuilder<unknown>): RawBuilder<string> {
  return sql`lower(${email})`
}

/** SQL of the domain of an address: after the last @, in lower case, as `addressDomain` in mail/address.ts. */
export function addressDomainOf(email: RawBuilder<unknown>): RawBuilder<string> {
  return sql`split_part(lower(${email}), '@', -1)`
}
