import { fieldError, invalid } from '@emma/contract/errors.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import { isMissing, type Row } from '@emma/contract/resource-schemas.ts'
import { transaction } from '@emma/db/connection.ts'
import type { Database } from '@emma/db/database-types.ts'
import { sealSecret } from '../deliverability/secret-box.ts'
import type { Operations } from './operations.ts'
import type { Columns, StandardOperations } from './resource-operations.ts'

/** The fields that determine where a stored secret is sent. */
export interface SecretDestination<Record> {
  /** Field that tells whether it is set. */
  isSet: keyof Record
  destination: readonly (keyof Record & string)[]
  /** What of a field determines it, such as the host of a URL; the whole value by default. */
  partOf?: (value: unknown) => unknown
  /** Field without which the secret is not used: a change that empties it removes the secret. */
  neededBy?: keyof Record
}

/** A stored secret with its destination. */
export interface BoundSecret<Record, Field = keyof Record & string> extends SecretDestination<Record> {
  /** Field that sets the secret (see sealGiven). */
  secret: Field
}

/**
 * Encrypts a secret for storage. Null and undefined keep the stored one: responses never contain it, so forms send null
 * back.
 */
export function sealGiven(key: Buffer, given: string | null | undefined): Buffer | undefined {
  return given ? sealSecret(key, given) : undefined
}

/**
 * Requires the secret again when its destination changes: a changed host must not get the password of another one.
 *
 * @param given the secret field of the input
 * @throws EmmaError `invalid` on the secret's field when the destination changed and the secret was not given again
 */
export function assertSecretFollows<Record>(
  bound: BoundSecret<Record, string>,
  before: Record,
  after: Record,
  given: unknown,
): void {
  if (!before[bound.isSet] || !after[bound.isSet] || typeof given === 'string') return
  const changed = changedDestination(bound, before, after)
  if (changed.length === 0) return
  throw invalid([fieldError(bound.secret, 'field.secret_again', { fields: changed.join(', ') })])
}

/** Whether the destination changed and the stored secret is not used any more. */
export function isLeftBehind<Record>(
  bound: SecretDestination<Record>,
  before: Record,
  after: Record,
): boolean {
  const isUnused = bound.neededBy !== undefined && isMissing(after[bound.neededBy])
  return isUnused && Boolean(after[bound.isSet]) && changedDestination(bound, before, after).length > 0
}

function changedDestination<Record>(
  { destination, partOf = value => value }: SecretDestination<Record>,
  before: Record,
  after: Record,
): string[] {
  const part = (value: unknown) => partOf(value) ?? null
  return destination.filter(field => part(before[field]) !== part(after[field]))
}

type Kept<R extends Resource> = Omit<Row<R>, never>

/** The operations with this rule applied to every change of a record. */
export function withBoundSecret<R extends Resource, T extends keyof Database>(
  operations: StandardOperations<R, T>,
  bound: BoundSecret<Kept<R>> & {
    /** Column values that remove the secret. */
    none: Columns<T>
  },
): Operations<R, Kept<R>> {
  return {
    ...operations,
    patch(db, actor, scope, id, input, options) {
      return transaction(db, async tx => {
        const before = await operations.find(tx, actor, scope, id)
        const after = await operations.patch(tx, actor, scope, id, input, options)
        if (isLeftBehind<Kept<R>>(bound, before, after))
          return operations.patch(tx, actor, scope, id, {}, { revision: null }, bound.none)
        assertSecretFollows<Kept<R>>(
          bound,
          before,
          after,
          Object.entries(input).find(([field]) => field === bound.secret)?.[1],
        )
        return after
      })
    },
  }
}
