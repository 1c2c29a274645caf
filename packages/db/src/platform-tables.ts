/**
 * Tables of the installation rather than a tenant: reference tables on Citus, with a copy on every node. All other
 * tables belong to tenants and have client_id first in their keys (schema-faults.ts).
 */
export const platformTables: ReadonlySet<string> = new Set([
  // Tenants, and users with their access: read for every call of any tenant.
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
  // What clients confirm: terms, data-processing agreements and their files.
  'agb',
  'agb_pdf',
  'bav',
  'bav_pdf',
  // What the console shows to everybody.
  'motd',
  'guided_tour',
  'translation',
  'missing_text',
  // Mailbox providers, and addresses suppressed for all tenants. An exception may name a tenant or apply to all
  // (client_id null).
  'provider',
  'receiving_domain',
  'country_zone',
  'internal_blacklist_entry',
  'internal_blacklist_exclude',
  'internal_blacklist_removal',
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
