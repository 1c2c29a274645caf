import { EmmaError } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import type { MergeData } from '@emma/mail/segments.ts'
import type { ContentSource } from '@emma/mail/template/content-source.ts'
import type { PreviewCanvas } from '@emma/mail/edit/preview-canvas.ts'
import { moduleData } from '@emma/mail/template/module-data.ts'
import type { Preview } from '@emma/mail/template/preview.ts'
import { readContactLanguage } from '../audience/preferences/contact-language.ts'
import type { Actor, TenantScope } from '../resource/actor.ts'
import { findStoredMessage } from './message-operations.ts'
import { type MessageContent, readContent, withFieldErrors } from './compile-message.ts'
import { fault } from '@emma/contract/faults.ts'
import { findMemberRow } from '../audience/members/read-member-row.ts'

/** Sample recipient when no member is chosen (`render/0`), who has only columns of the datasource. */
export const sampleRecipient = {
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
  unsaved?: MessageContent | undefined
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
 * Renders the canvas of the visual editor for one recipient, off the thread that serves requests.
 * @returns null if the template is edited as code only, or cannot be rendered for this recipient
 * @throws ContentError as `PreviewContent`, except for what is checked in the HTML of MJML
 */
export type RenderCanvas = (
  clientId: number,
  source: ContentSource,
  data: MergeData,
) => Promise<PreviewCanvas | null>

/** A message of a client, and the data of the recipient that it is rendered for. */
export interface MessageForOne {
  clientId: number
  source: ContentSource
  data: MergeData
}

/**
 * Renders a message for one member (R182): subject, HTML, text and warnings. Its links carry an invalid token, and
 * nothing is tracked.
 */
export async function renderMessage(
  { clientId, source, data }: MessageForOne,
  previewContent: PreviewContent,
) {
  const preview = await withFieldErrors(source, () => previewContent(clientId, source, data))
  return { ...preview, headers: {} }
}

/** Renders the canvas of a message for one member. */
export async function renderMessageCanvas(
  { clientId, source, data }: MessageForOne,
  renderCanvas: RenderCanvas,
) {
  return { canvas: await withFieldErrors(source, () => renderCanvas(clientId, source, data)) }
}

/** Reads what a message is rendered of for one member, in the language that the member has chosen. */
export async function readMessageForOne(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  messageId: number,
  trackingBase: string,
  { memberId, memberTableId, unsaved }: RenderRequest,
): Promise<MessageForOne> {
  const saved = messageId === 0 ? unsavedMessage(scope) : await findStoredMessage(db, actor, scope, messageId)
  const clientId = saved.client_id
  const chosenMember = memberId === 0 ? null : await findMemberRow(db, clientId, memberId, memberTableId)
  const { email } = chosenMember ?? sampleRecipient
  const language = unsaved ? null : await readContactLanguage(db, clientId, String(email))
  const chosen = saved.languages.find(({ lang }) => lang === language)
  const record: MessageContent = { ...saved, ...chosen, ...unsaved, is_tracked: false }
  const source = await readContent(db, clientId, record, trackingBase, memberTableId)
  const data: MergeData = {
    member: chosenMember ?? sampleOf(source.known.member),
    campaign: { id: 0, name: saved.name },
    client: await findClientFields(db, clientId),
    data: moduleData(source.modules),
    token: 'preview',
    pageToken: 'preview',
  }
  return { clientId, source, data }
}

/** The sample recipient with the columns that exist: the preview has a gap where it warns of an unknown column. */
function sampleOf(columns: readonly string[]): MergeData['member'] {
  return Object.fromEntries(Object.entries(sampleRecipient).filter(([name]) => columns.includes(name)))
}

/** A message that is not saved yet: all content comes from the editor. */
function unsavedMessage({ clientIds }: TenantScope) {
  const [clientId] = clientIds === 'all' ? [] : clientIds
  if (clientId === undefined) throw new EmmaError('bad_request', fault('refusal.no_client'))
  return { client_id: clientId, name: '', subject: '', lang: 'en', languages: [] }
}

/** The fields of a client that templates may show. */
export async function findClientFields(db: Db, clientId: number) {
  const client = await db
    .selectFrom('client')
    .select(['client_id', 'name', 'imprint', 'address'])
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return { ...client }
}
