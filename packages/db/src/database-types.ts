/** Written by `npm run db:types` from the migrated database: never edited by hand. */
export interface Database {}
