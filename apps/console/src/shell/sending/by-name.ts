/** Order of the records that forms offer. */
export const byName = { field: 'name', descending: false } as const
