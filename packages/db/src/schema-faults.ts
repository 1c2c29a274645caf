import type { PoolClient } from 'pg'
import { platformTables } from './platform-tables.ts'

/**
 * Finds what would prevent sharding by client_id: one line per fault, ordered by name. Tenant tables are all that
 * platform-tables.ts does not list, and the member tables.
 */
export async function findSchemaFaults(client: PoolClient): Promise<string[]> {
  const faults: string[] = []
  for (const rule of rules) {
    const { rows } = await client.query<{ fault: string }>(`with ${tables} ${rule}`, [[...platformTables]])
    faults.push(...rows.map(row => row.fault))
  }
  return faults.toSorted()
}

/** All tables of EMMA, with partitions as part of theirs; client: the number of the column client_id. */
const tables = `
  tables as (
    select c.oid, c.oid::regclass::text as name, a.attnum as client, a.attnotnull as needs_client,
      not (c.relnamespace = 'public'::regnamespace and c.relname = any ($1)) as is_tenant
    from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_id'
    where c.relkind in ('r', 'p') and not c.relispartition
      and c.relnamespace in ('public'::regnamespace, 'members'::regnamespace))`

const rules = [
  `select format('%s is named in platform-tables.ts and does not exist', name) as fault
   from unnest($1::text[]) as name where to_regclass('public.' || name) is null`,

  `select format('%s has neither a client_id that is never null nor a line in platform-tables.ts', name) as fault
   from tables where is_tenant and not coalesce(needs_client, false)`,

  `select format('%s.%s is %s, not bigint', t.name, a.attname, format_type(a.atttypid, null)) as fault
   from tables t join pg_attribute a on a.attrelid = t.oid
   where (a.attidentity <> '' or a.attnum = t.client) and a.atttypid <> 'bigint'::regtype`,

  `select format('%s does not begin with client_id', i.indexrelid::regclass) as fault
   from tables t join pg_index i on i.indrelid = t.oid
   where t.is_tenant and i.indisunique and i.indkey[0] <> t.client`,

  `select format('%s has no primary key', name) as fault from tables
   where is_tenant and not exists (select from pg_index i where i.indrelid = oid and i.indisprimary)`,

  `select format('%s of %s refers to a tenant''s row without client_id', f.conname, t.name) as fault
   from pg_constraint f
   join tables t on t.oid = f.conrelid
   join tables referred on referred.oid = f.confrelid and referred.is_tenant
   where f.contype = 'f' and not (t.is_tenant and exists (
     select from unnest(f.conkey, f.confkey) as pair (own, theirs) where own = t.client and theirs = referred.client))`,

  `select format('%s stands on %s, which has a client_id', g.tgname, t.name) as fault
   from pg_trigger g join tables t on t.oid = g.tgrelid where t.client is not null and not g.tgisinternal`,

  `select format('%s of %s has another type than what it refers to', f.conname, t.name) as fault
   from pg_constraint f join tables t on t.oid = f.conrelid, unnest(f.conkey, f.confkey) as pair (own, theirs)
   join pg_attribute a on true join pg_attribute r on true
   where f.contype = 'f' and a.attrelid = f.conrelid and a.attnum = own and r.attrelid = f.confrelid and r.attnum = theirs
     and a.atttypid <> r.atttypid`,
]
