import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

export interface WebhookLogin {
  client_id: number
  id: number
  /** Encrypted. */
  webhook_secret: Buffer | null
}

/** Finds the active login at a sending service by the token in its webhook URL. */
export async function findWebhookLogin(
  db: Db,
  esp: string,
  token: string,
): Promise<WebhookLogin | undefined> {
  const { rows } = await sql<WebhookLogin>`
    select client_id, id, webhook_secret from esp_login
    where hook_token = ${token.replaceAll('\0', '')} and esp = ${esp} and active and deleted_at is null`.execute(
    db,
  )
  return rows[0]
}
