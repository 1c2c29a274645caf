import { EmmaError } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import type { MergeData } from '@emma/mail/segments.ts'
import type { ContentSource } from '@emma/mail/template/content-source.ts'
import type { PreviewCanvas } from '@emma/mail/edit/preview-canvas.ts'
import type { Preview } from '@emma/mail/template/preview.ts'
import { sql } from 'kysely'
import type { Actor, TenantScope } from '../resource/actor.ts'
import type { Fields, Operations } from '../resource/operations.ts'
import { readContent, withFieldErrors } from './compile-message.ts'
import { fault } from '@emma/contract/faults.ts'

/** Sample recipient when no member is chosen (`render/0`). */
export const sampleRecipient: Fields = {
  member_id: 0,
  email: 'alex.sample@example.com',
  salutation: 'Dear',
  firstname: 'Alex',
  lastname: 'Sample',
  city: 'Berlin',
  datejoin: '2026-01-15T09:00:00.000Z',
}

export interface RenderRequest {
  /** 0: the sample recipient. */
  memberId: number
  memberTableId?: number | undefined
  /** Unsaved fields from the editor. */
  unsaved?: Fields | undefined
  /** Also renders the canvas of the visual editor. */
  hasCanvas?: boolean | undefined
}

/** A preview; `canvas` if it was requested, null if the template is edited as code only. */
export interface EditorPreview extends Preview {
  canvas?: PreviewCanvas | null
}

/**
 * Compiles and renders a client's content for one recipient, off the thread that serves requests.
 * @throws ContentError when the content cannot be compiled
 */
export type PreviewContent = (
  clientId: number,
  source: ContentSource,
  data: MergeData,
  hasCanvas?: boolean,
) => Promise<EditorPreview>

/**
 * Renders a message for one member (R182): subject, HTML, text and warnings. Its links carry an invalid token, and
 * nothing is tracked.
 */
export async function renderMessage(
  db: Db,
  operations: Operations,
  actor: Actor,
  scope: TenantScope,
  messageId: number,
  trackingBase: string,
  previewContent: PreviewContent,
  { memberId, memberTableId, unsaved, hasCanvas }: RenderRequest,
) {
  const message = messageId === 0 ? unborn(scope) : await operations.find(db, actor, scope, messageId)
  const clientId = Number(message.client_id)
  const record = { ...message, ...unsaved, is_tracked: false }
  const source = await readContent(db, clientId, record, trackingBase, memberTableId)
  const data: MergeData = {
    member: memberId === 0 ? sampleRecipient : await findMember(db, clientId, memberId, memberTableId),
    campaign: { id: 0, name: message.name },
    client: await findClientFields(db, clientId),
    token: 'preview',
    pageToken: 'preview',
  }
  const preview = await withFieldErrors(source, () => previewContent(clientId, source, data, hasCanvas))
  return { ...preview, headers: {} }
}

/** An unsaved message: all content comes from the editor. */
function unborn({ clientIds }: TenantScope): Fields {
  const [clientId] = clientIds === 'all' ? [] : clientIds
  if (clientId === undefined) throw new EmmaError('bad_request', fault('refusal.no_client'))
  return { client_id: clientId, name: '', subject: '', lang: 'en' }
}

async function findMember(db: Db, clientId: number, memberId: number, tableId?: number): Promise<Fields> {
  const tables = await db
    .selectFrom('member_table')
    .select('member_table_id')
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .$if(tableId !== undefined, query => query.where('member_table_id', '=', tableId ?? 0))
    .execute()
  for (const { member_table_id } of tables) {
    const found = await sql<Fields>`
      select * from ${sql.table(`members.t${member_table_id}`)}
      where client_id = ${clientId} and member_id = ${memberId}`.execute(db)
    if (found.rows[0]) return found.rows[0]
  }
  throw new EmmaError('not_found')
}

/** The fields of a client that templates may show. */
export async function findClientFields(db: Db, clientId: number): Promise<Fields> {
  const client = await db
    .selectFrom('client')
    .select(['client_id', 'name', 'imprint', 'address'])
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return { ...client }
}
