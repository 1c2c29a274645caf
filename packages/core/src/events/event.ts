/** A row to append to the event log; omitted columns are null. */
export interface NewEvent {
  client_id: number
  ts: Date
  type: EventType
  campagne_id: number | null
  member_table_id: number | null
  member_id: number | null
  email?: string | null
  link_index?: number | null
  ip?: string | null
  user_agent?: string | null
  device?: string | null
  agent_client?: string | null
  verdict?: string | null
  verdict_reason?: string | null
  provider_id?: number | null
  smtp_code?: number | null
  enhanced?: string | null
  reply?: string | null
  class?: string | null
  hard?: boolean | null
  source?: string | null
  details?: EventDetails | null
}

/** Details of a complaint: proof that the feedback loop report is authentic, and which domain signed it. */
export interface EventDetails {
  proven: true
  signed_by: string
}

export type EventType =
  | 'delivered'
  | 'deferred'
  | 'bounce'
  | 'open'
  | 'click'
  | 'view'
  | 'unsubscribe'
  | 'complaint'
  | 'auto_reply'

/** Columns in the order of COPY. */
export const eventColumns = [
  'client_id',
  'ts',
  'type',
  'campagne_id',
  'member_table_id',
  'member_id',
  'email',
  'link_index',
  'ip',
  'user_agent',
  'device',
  'agent_client',
  'verdict',
  'verdict_reason',
  'provider_id',
  'smtp_code',
  'enhanced',
  'reply',
  'class',
  'hard',
  'source',
  'details',
] as const satisfies readonly (keyof NewEvent)[]
