import { invalid } from '@emma/contract/errors.ts'
import { isMissing } from '@emma/contract/resource-schemas.ts'
import { transaction } from '@emma/db/connection.ts'
import { sealSecret } from '../deliverability/secret-box.ts'
import type { Fields, Operations } from './operations.ts'

/** A stored secret, and the fields that say where it is sent. */
export interface BoundSecret {
  /** The field that takes it (see sealGiven). */
  secret: string
  /** The field that says whether there is one. */
  isSet: string
  destination: readonly string[]
  /** The field without which the secret is not used: a change that leaves it empty removes the secret. */
  neededBy?: string
}

/**
 * A secret as it is stored: text is sealed. Null and undefined leave the stored one (answers never carry it, so forms
 * send null back); '' removes it, and comes from inside alone: the API reads '' as null.
 */
export function sealGiven(key: Buffer, given: unknown): Buffer | null | undefined {
  if (given === '') return null
  return typeof given === 'string' ? sealSecret(key, given) : undefined
}

/**
 * A secret belongs to its destination: a changed host must not get the password that was given for another one.
 *
 * @param given what the change brings for the secret
 * @throws EmmaError `invalid` on the secret's field when the destination changed and the secret was not given again
 */
export function assertSecretFollows(bound: BoundSecret, before: Fields, after: Fields, given: unknown): void {
  if (before[bound.isSet] !== true || after[bound.isSet] !== true || typeof given === 'string') return
  const changed = changedDestination(bound, before, after)
  if (changed.length === 0) return
  throw invalid([
    { field: bound.secret, message: `must be entered again, because ${changed.join(', ')} changed` },
  ])
}

/** Whether a stored secret has lost its destination and is not used at the new one. */
export function isLeftBehind(bound: BoundSecret, before: Fields, after: Fields): boolean {
  const isUnused = bound.neededBy !== undefined && isMissing(after[bound.neededBy])
  return isUnused && after[bound.isSet] === true && changedDestination(bound, before, after).length > 0
}

function changedDestination({ destination }: BoundSecret, before: Fields, after: Fields): string[] {
  return destination.filter(field => (before[field] ?? null) !== (after[field] ?? null))
}

/** The operations with that rule on every change of a record. */
export function withBoundSecret(operations: Operations, bound: BoundSecret): Operations {
  return {
    ...operations,
    patch(db, actor, scope, id, input, options) {
      return transaction(db, async tx => {
        const before = await operations.find(tx, actor, scope, id)
        const after = await operations.patch(tx, actor, scope, id, input, options)
        if (isLeftBehind(bound, before, after))
          return operations.patch(tx, actor, scope, id, { [bound.secret]: '' }, { revision: null })
        assertSecretFollows(bound, before, after, input[bound.secret])
        return after
      })
    },
  }
}
