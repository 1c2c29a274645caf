/**
 * Tables that belong to the installation, not to a tenant: reference tables on Citus, a copy on every node. Every other table
 * is a tenant's and has client_id first in its keys (schema-faults.ts).
 */
export const platformTables: ReadonlySet<string> = new Set([
  // Tenants themselves, and people with their access: read for every call, whatever its tenant is.
  'client',
  'app_user',
  'role',
  'user_role',
  'session',
  'password_reset',
  'recovery_code',
  'api_token',
  'user_identity',
  'user_seen',
  'login_attempt',
  // What the console tells everybody.
  'motd',
  'guided_tour',
  'translation',
  'missing_text',
  // Receivers, and what is suppressed for all tenants. An exception may name a tenant or be for all (client_id null).
  'provider',
  'receiving_domain',
  'country_zone',
  'internal_blacklist_entry',
  'internal_blacklist_exclude',
  'scd_rule',
  'scd_window',
  // The running program.
  'setting',
  'role_heartbeat',
  'engine',
  'engine_journal',
  'send_pace',
  'event_cursor',
  'hit_journal',
  'schema_migration',
])
