import type { Resource } from '@emma/contract/define-resource.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { createSchema, patchSchema } from '@emma/contract/resource-schemas.ts'
import { type DemoCall, type DemoState, type DemoRoute, type Fields, notInDemo, parse } from './demo-call.ts'
import type { DemoEntity } from './demo-tables.ts'
import { narrowRows, type SpecialFilters } from './narrow-rows.ts'
import { common, firstKey } from './seed/seeding.ts'

/** How a resource of the contract is served from its object store. */
export interface ServedResource {
  resource: Resource
  entity: DemoEntity
  /** Defaults of a new record; without them the resource is read-only. */
  blank?: Fields
  special?: SpecialFilters
  /** Called before rows are listed, to advance running campaigns (R310). */
  refresh?: (state: DemoState) => Promise<void>
  /** Derives fields before a row is stored. @throws EmmaError to reject the change */
  settle?: (row: Fields, before: Fields | null, state: DemoState) => Promise<Fields>
  /** Maps a stored row to the response. */
  shown?: (row: Fields) => Fields
}

/** List, read, create, patch, replace, delete and restore of a resource, equivalent to mount-resource of the server. */
export function recordRoutes(served: ServedResource): DemoRoute[] {
  const removed = new Map<number, Fields>()
  return served.resource.paths.flatMap(path => routesAt(path, served, removed))
}

function routesAt(path: string, served: ServedResource, removed: Map<number, Fields>): DemoRoute[] {
  const { resource, entity, shown = row => row } = served
  const one = `${path}{record_id}`
  return [
    {
      method: 'GET',
      path,
      async answer({ query }, state) {
        await served.refresh?.(state)
        const rows = await state.tables<Fields>(entity).all()
        return narrowRows(resource, rows.map(shown), query, served.special)
      },
    },
    {
      method: 'GET',
      path: one,
      async answer(call, state) {
        await served.refresh?.(state)
        return shown(await findRow(entity, call, state))
      },
    },
    { method: 'POST', path, answer: async (call, state) => shown(await create(served, call, state)) },
    {
      method: 'PATCH',
      path: one,
      answer: async (call, state) => shown(await change(served, call, state, false)),
    },
    {
      method: 'PUT',
      path: one,
      answer: async (call, state) => shown(await change(served, call, state, true)),
    },
    {
      method: 'DELETE',
      path: one,
      async answer(call, state) {
        if (!served.blank) notInDemo()
        const row = await findRow(entity, call, state)
        if ('test' in call.query) return { deletable: true, references: [] }
        const key = Number(row[resource.key])
        removed.set(key, row)
        await state.tables(entity).remove(key)
        return undefined
      },
    },
    {
      method: 'POST',
      path: `${one}/restore`,
      async answer({ params }, state) {
        const key = Number(params['record_id'])
        const row = removed.get(key)
        if (!row) throw new EmmaError('not_found')
        removed.delete(key)
        return shown(await keep(state.tables<Fields>(entity), key, row))
      },
    },
  ]
}

/** @throws EmmaError `not_found` */
async function findRow(entity: DemoEntity, { params }: DemoCall, { tables }: DemoState): Promise<Fields> {
  const row = await tables<Fields>(entity).get(Number(params['record_id']))
  if (!row) throw new EmmaError('not_found')
  return row
}

async function create(
  { resource, entity, blank, settle }: ServedResource,
  { body }: DemoCall,
  state: DemoState,
) {
  if (!blank) notInDemo()
  const input = parse(createSchema(resource), body)
  const table = state.tables<Fields>(entity)
  const keys = (await table.all()).map(row => Number(row[resource.key]))
  const key = Math.max(firstKey, ...keys) + 1
  const made = { ...common(state.now(), state.person.id), ...blank, ...input, [resource.key]: key }
  return keep(table, key, settle ? await settle(made, null, state) : made)
}

async function change(
  served: ServedResource,
  call: DemoCall,
  state: DemoState,
  isWhole: boolean,
): Promise<Fields> {
  const { resource, entity, blank, settle } = served
  if (!blank) notInDemo()
  const before = await findRow(entity, call, state)
  if (call.revision !== null && call.revision !== before['revision']) throw new EmmaError('faulty_revision')
  const input: Fields = parse(isWhole ? createSchema(resource) : patchSchema(resource), call.body)
  const after = {
    ...before,
    ...(isWhole ? blank : {}),
    ...input,
    revision: Number(before['revision']) + 1,
    updated_at: state.now().toISOString(),
    updated_by: state.person.id,
  }
  const key = Number(before[resource.key])
  return keep(state.tables<Fields>(entity), key, settle ? await settle(after, before, state) : after)
}

async function keep(table: ReturnType<DemoState['tables']>, key: number, row: Fields): Promise<Fields> {
  await table.put(key, row)
  return row
}
