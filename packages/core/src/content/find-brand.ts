import {
  brandFieldNames,
  type BrandFields,
  type BrandSource,
  type BrandValues,
  brandValues,
} from '@emma/contract/client-brand.ts'
import type { Db } from '@emma/db/connection.ts'

/** Reads the brand of a client, with the defaults for what is not set. */
export async function findBrand(db: Db, clientId: number): Promise<BrandValues> {
  const client = await db
    .selectFrom('client')
    .select(['name', 'imprint', 'address', ...brandFieldNames])
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  // The columns hold values of the contract's fields.
  return brandValues((client as BrandSource | undefined) ?? { name: '' })
}

/** The fields of a client's brand, as they are set. */
export async function findBrandFields(db: Db, clientId: number): Promise<Partial<BrandFields>> {
  const fields = await db
    .selectFrom('client')
    .select([...brandFieldNames])
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  // The columns hold values of the contract's fields.
  return (fields as BrandFields | undefined) ?? {}
}
