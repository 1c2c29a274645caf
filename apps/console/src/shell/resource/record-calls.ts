import type { Id, RecordOf, Values } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import { api } from '../session/api.ts'
import { queryClient } from './query-client.ts'

/**
 * Saves a form's values: creates the record, or patches the fields that differ from the loaded revision (R163). For
 * `save` of a record form.
 */
export async function saveRecord<R extends Resource>(
  resource: R,
  id: Id | null,
  values: Values<R>,
  { changed, revision }: { changed: Values<R>; revision: number | undefined },
): Promise<RecordOf<R>> {
  const saved =
    id === null
      ? await api.create(resource, values)
      : await api.patch(resource, id, changed, revision === undefined ? {} : { revision })
  await refresh(resource)
  return saved
}

/** Patches a record outside its form, e.g. from a row action. */
export async function patchRecord<R extends Resource>(
  resource: R,
  id: Id,
  change: Values<R>,
  revision: number,
): Promise<RecordOf<R>> {
  const saved = await api.patch(resource, id, change, { revision })
  await refresh(resource)
  return saved
}

/** Deletes a record. @throws ApiError, for instance `Still in use` */
export async function removeRecord(resource: Resource, id: Id): Promise<void> {
  const [removal] = await api.remove(resource, id)
  if (removal?.error) throw removal.error
  await refresh(resource)
}

/** Restores a deleted record. @throws ApiError, for instance if its name has been taken meanwhile */
export async function restoreRecord(resource: Resource, id: Id): Promise<void> {
  await api.restore(resource, id)
  await refresh(resource)
}

/** Fetches the current record, bypassing every cache. For `reload` of a record form. */
export function reloadRecord<R extends Resource>(resource: R, id: Id): Promise<RecordOf<R>> {
  return api.find(resource, id, {}, { ignoreCache: true })
}

/** Invalidates all lists and records of the resource. */
export function refresh(resource: Resource): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: queryKeys.all(resource) })
}

/** Primary key of a record. @throws Error `No {key} found!` */
export function keyOf(resource: Resource, row: object): number | string {
  const key: unknown = Reflect.get(row, resource.key)
  if (typeof key !== 'number' && typeof key !== 'string') throw new Error(`No ${resource.key} found!`)
  return key
}
