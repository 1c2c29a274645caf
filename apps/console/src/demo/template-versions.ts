import {
  listMessageVersions,
  type MessageVersion,
  nameMessageVersion,
  readMessageVersion,
  restoreMessageVersion,
  type VersionContent,
  versionFields,
} from '@emma/contract/actions/message-versions.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { type DemoRoute, type DemoState, onAction } from './demo-call.ts'
import type { DemoTemplate } from './demo-records.ts'

export type DemoVersion = MessageVersion & { message_id: number; content: VersionContent }

/** Versions of templates: listed, read and restored. Every change is one, unlike on the server. */
export const templateVersionRoutes: readonly DemoRoute[] = [
  ...onAction(listMessageVersions, async ({ params, query: { limit, offset } }, state) => {
    const versions = await versionsOf(params.id, state)
    return { data: versions.slice(offset, offset + limit), total: versions.length }
  }),
  ...onAction(readMessageVersion, ({ params }, state) => findVersion(params, state)),
  ...onAction(nameMessageVersion, async ({ params, body }, state) => {
    const { message_id, content, ...found } = await findVersion(params, state)
    const named = { ...found, name: body.name }
    await state
      .tables<DemoVersion>('template_version')
      .put(params.version_id, { ...named, message_id, content })
    return named
  }),
  ...onAction(restoreMessageVersion, async ({ params }, state) => {
    const { content } = await findVersion(params, state)
    const templates = state.tables<DemoTemplate>('template')
    const before = await templates.get(params.id)
    if (!before) throw new EmmaError('not_found')
    const revision = before.revision + 1
    const after = { ...before, ...content, revision, updated_at: state.now().toISOString() }
    await templates.put(params.id, after)
    await keepVersion(after, before, state, params.version_id)
    return { message_id: params.id, revision }
  }),
]

/** Adds the state after a change, and the one before if it is the first. */
export async function keepVersion(
  after: DemoTemplate,
  before: DemoTemplate | null,
  state: DemoState,
  restoredFrom: number | null = null,
): Promise<void> {
  const known = await versionsOf(after.message_id, state)
  if (known.length === 0 && before) await add(before, null, state, null)
  await add(after, before, state, restoredFrom)
}

async function add(
  row: DemoTemplate,
  before: DemoTemplate | null,
  { tables, person }: DemoState,
  restored_from: number | null,
): Promise<void> {
  const table = tables<DemoVersion>('template_version')
  const version_id = Math.max(0, ...(await table.all()).map(version => version.version_id)) + 1
  const content = contentOf(row)
  const changed =
    before && versionFields.filter(field => JSON.stringify(before[field]) !== JSON.stringify(content[field]))
  await table.put(version_id, {
    message_id: row.message_id,
    version_id,
    name: null,
    revision: row.revision,
    user_id: person.id,
    user: `${person.firstname} ${person.lastname}`,
    began_at: row.updated_at,
    saved_at: row.updated_at,
    changed,
    restored_from,
    size: JSON.stringify(content).length,
    content,
  })
}

function contentOf(row: DemoTemplate): VersionContent {
  return Object.fromEntries(versionFields.map(field => [field, row[field]])) as VersionContent
}

async function versionsOf(messageId: number, { tables }: DemoState): Promise<DemoVersion[]> {
  const versions = await tables<DemoVersion>('template_version').all()
  return versions
    .filter(version => version.message_id === messageId)
    .toSorted((a, b) => b.version_id - a.version_id)
}

async function findVersion(key: { id: number; version_id: number }, state: DemoState): Promise<DemoVersion> {
  const found = (await versionsOf(key.id, state)).find(({ version_id }) => version_id === key.version_id)
  if (!found) throw new EmmaError('not_found')
  return found
}
