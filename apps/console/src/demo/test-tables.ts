import type { DemoEntity, DemoKey, DemoTables } from './demo-tables.ts'

/** Tables in memory; reads return copies, as from IndexedDB. */
export function memoryTables(): DemoTables {
  const all = new Map<DemoEntity, Map<DemoKey, string>>()
  return entity => {
    const rows = all.get(entity) ?? new Map<DemoKey, string>()
    all.set(entity, rows)
    return {
      all: async () =>
        [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => JSON.parse(row)),
      get: async key => {
        const row = rows.get(key)
        return row === undefined ? undefined : JSON.parse(row)
      },
      put: async (key, row) => void rows.set(key, JSON.stringify(row)),
      putAll: async more => {
        for (const [key, row] of more) rows.set(key, JSON.stringify(row))
      },
      remove: async key => void rows.delete(key),
      clear: async () => rows.clear(),
    }
  }
}
