import { type RawBuilder, sql } from 'kysely'
import type { ApiEsp } from '../4-deliver/esp/esp-login.ts'
import type { MtaHeader } from '../4-deliver/mta-headers.ts'
import type { Source } from '../4-deliver/mx/mx-transport.ts'
/** Columns of a mail class that its transport needs, as stored. */
export interface MailclassRow {
  client_id: number
  mailclass_id: number
  name: string
  transport: string
  smtp_host: string | null
  smtp_port: number | null
  smtp_tls: 'none' | 'starttls' | 'tls'
  smtp_username: string | null
  smtp_password: Buffer | null
  max_connections: number
  /** IP or virtual MTA it sends from. */
  send_ip: string | null
  mta_headers: MtaHeader[]
  source_ips: Source[]
  /** Active logins in the order of use. */
  logins: LoginRow[]
}

/** An ESP login as stored; its secret encrypted, as base64. */
export interface LoginRow {
  id: number
  esp: 'smtp' | ApiEsp
  username: string | null
  secret: string | null
  host: string | null
  port: number | null
  tls: 'none' | 'starttls' | 'tls'
  region: string | null
  domain: string | null
  stream: string | null
  configuration_set: string | null
  base_url: string | null
}

/** SQL for the column `logins` of a row with a `client_id`: the active logins of `ids`, in order. */
export function loginsColumn(ids: RawBuilder<unknown>, row: RawBuilder<unknown>): RawBuilder<LoginRow[]> {
  return sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'esp', l.esp, 'username', l.username,
    'secret', encode(l.secret, 'base64'), 'host', l.host, 'port', l.port, 'tls', l.tls, 'region', l.region,
    'domain', l.domain, 'stream', l.stream, 'configuration_set', l.configuration_set, 'base_url', l.base_url) order by array_position(${ids}, l.id)), '[]')
  from esp_login l
  where l.client_id = ${row}.client_id and l.id = any(${ids}) and l.active and l.deleted_at is null) as logins`
}
