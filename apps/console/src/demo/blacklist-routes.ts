import {
  addBlacklistEntries,
  listBlacklistEntries,
  removeBlacklistEntries,
} from '@emma/contract/actions/audience.ts'
import {
  createMultiBlacklist,
  listMultiBlacklists,
  removeMultiBlacklist,
} from '@emma/contract/actions/multi-blacklist.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { blacklist } from '@emma/contract/resources/blacklist.ts'
import { type DemoRoute, type DemoState, onAction, pageOf } from './demo-call.ts'
import type { DemoBlacklist, DemoMultiBlacklist } from './demo-records.ts'
import { recordRoutes } from './record-routes.ts'
import { firstKey } from './seed/seeding.ts'

/** Suppression lists, their entries, and entries of several lists. */
export const blacklistRoutes: readonly DemoRoute[] = [
  ...onAction(listBlacklistEntries, async ({ params, query }, state) => {
    const { entries } = await findBlacklist(params.id, state)
    const words = query.search?.toLowerCase() ?? ''
    return pageOf(
      entries.filter(({ value }) => value.includes(words)),
      query.limit,
      query.offset,
    )
  }),
  ...onAction(addBlacklistEntries, async ({ params, body }, state) =>
    addEntries(await findBlacklist(params.id, state), { ...body, source: 'console' }, state),
  ),
  ...onAction(listMultiBlacklists, async ({ query }, { tables }) => {
    const rows = await tables<DemoMultiBlacklist>('multi_blacklist').all()
    const words = query.search?.toLowerCase() ?? ''
    const matching = rows.filter(({ reason }) => (reason ?? '').toLowerCase().includes(words))
    return pageOf(matching.toReversed(), query.limit, query.offset)
  }),
  ...onAction(createMultiBlacklist, async ({ body }, state) => {
    const rows = state.tables<DemoMultiBlacklist>('multi_blacklist')
    const targets: DemoMultiBlacklist['targets'] = []
    for (const target of body.targets) {
      const list = await findBlacklist(target.blacklist_id, state)
      const counts = await addEntries(list, { ...body, source: 'multi' }, state)
      targets.push({ ...target, client: 'Demo', name: list.name, ...counts })
    }
    const created: DemoMultiBlacklist = {
      multi_id: firstKey + (await rows.all()).length,
      status: 'applied',
      targets,
      count: body.values.length,
      reason: body.reason ?? null,
      expires_at: body.expires_at ?? null,
      created_at: state.now().toISOString(),
      removed_at: null,
      added_by: state.person.username,
      values: body.values,
    }
    await rows.put(created.multi_id, created)
    return created
  }),
  ...onAction(removeMultiBlacklist, async ({ params }, state) => {
    const rows = state.tables<DemoMultiBlacklist>('multi_blacklist')
    const found = await rows.get(params.id)
    if (!found) throw new EmmaError('not_found')
    let removed = 0
    for (const { blacklist_id } of found.targets) {
      const list = await findBlacklist(blacklist_id, state)
      const left = list.entries.filter(
        ({ value, source }) => source !== 'multi' || !found.values.includes(value),
      )
      await keepEntries(list, left, state)
      removed += list.entries.length - left.length
    }
    await rows.put(found.multi_id, {
      ...found,
      status: 'removed',
      removed_at: state.now().toISOString(),
    })
    return { removed }
  }),
  ...onAction(removeBlacklistEntries, async ({ params, query }, state) => {
    const found = await findBlacklist(params.id, state)
    const unwanted = [query['value[]'] ?? query.value ?? []].flat()
    const left = found.entries.filter(({ value }) => !unwanted.includes(value))
    await keepEntries(found, left, state)
    return { removed: found.entries.length - left.length }
  }),
  ...recordRoutes({
    resource: blacklist,
    entity: 'blacklist',
    blank: { kind: 'campaign', match: 'email', count: 0, entries: [] },
    special: {
      globalblacklist: (row, [wanted]) => (row['kind'] === 'client') === wanted,
      address: (row, values) => JSON.stringify(row['entries']).includes(String(values[0]).toLowerCase()),
    },
  }),
]

interface NewEntries {
  values: readonly string[]
  reason?: string | null | undefined
  expires_at?: string | null | undefined
  source: string
}

async function addEntries(
  list: DemoBlacklist,
  { values, reason = null, expires_at = null, source }: NewEntries,
  state: DemoState,
): Promise<{ added: number; existing: number }> {
  const known = new Set(list.entries.map(({ value }) => value))
  const added = [...new Set(values.map(value => value.trim().toLowerCase()))].filter(
    value => !known.has(value),
  )
  const created_at = state.now().toISOString()
  const more = { reason, source, added_by: state.person.username, created_at, expires_at }
  await keepEntries(list, [...added.map(value => ({ value, ...more })), ...list.entries], state)
  return { added: added.length, existing: values.length - added.length }
}

async function findBlacklist(id: number, { tables }: DemoState): Promise<DemoBlacklist> {
  const found = await tables<DemoBlacklist>('blacklist').get(id)
  if (!found) throw new EmmaError('not_found')
  return found
}

async function keepEntries(row: DemoBlacklist, entries: DemoBlacklist['entries'], { tables }: DemoState) {
  await tables<DemoBlacklist>('blacklist').put(row.blacklist_id, { ...row, entries, count: entries.length })
}
