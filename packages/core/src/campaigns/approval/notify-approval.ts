import { addNotification } from '@emma/db/add-notification.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Approvable } from './approval-record.ts'
import { findApprovers } from './find-approvers.ts'

/** Notifies those who may approve. */
export async function notifyRequested(
  tx: Db,
  userId: number,
  record: Approvable,
  note: string | null,
): Promise<void> {
  const person = await nameOf(tx, userId)
  const approvers = await findApprovers(tx, record.of.clientId, [userId, record.changedBy])
  for (const { id } of approvers)
    await addNotification(tx, {
      ...newsOf(record, userId, { person, note }),
      userId: id,
      kind: 'info',
      code: 'approval_requested',
      text: `${person} asks for the approval of “${record.name}”.`,
    })
}

/** Notifies the user who asked. */
export async function notifyApproved(
  tx: Db,
  userId: number,
  record: Approvable,
  note: string | null,
): Promise<void> {
  const person = await nameOf(tx, userId)
  await addNotification(tx, {
    ...newsOf(record, userId, { person, note }),
    userId: record.stored?.requested_by,
    kind: 'success',
    code: 'approval_given',
    text: `${person} has approved “${record.name}”.`,
  })
}

/** Notifies the users who asked and who had approved. */
export async function notifyRevoked(
  tx: Db,
  userId: number,
  record: Approvable,
  note: string | null,
): Promise<void> {
  const { stored } = record
  const person = await nameOf(tx, userId)
  const others = new Set([stored?.requested_by, stored?.approved_by])
  others.delete(userId)
  for (const other of others)
    if (typeof other === 'number')
      await addNotification(tx, {
        ...newsOf(record, userId, { person, note }),
        userId: other,
        kind: 'warning',
        code: 'approval_revoked',
        text: `${person} has revoked the approval of “${record.name}”.`,
      })
}

function newsOf(
  { of, name }: Approvable,
  createdBy: number,
  details: { person: string; note: string | null },
) {
  const path = of.subject === 'campaign' ? `/campaigns/start/${of.id}` : `/recurring/edit/${of.id}`
  return { clientId: of.clientId, details: { name, ...details }, path, createdBy }
}

/** Name of a user in notifications. */
export async function nameOf(tx: Db, userId: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(nullif(trim(concat(firstname, ' ', lastname)), ''), username) as name
    from app_user where id = ${userId}`.execute(tx)
  return rows[0]?.name ?? 'EMMA'
}
