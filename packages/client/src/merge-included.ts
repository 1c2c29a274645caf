type Wire = Record<string, unknown>

/**
 * Merges `included` records of a list into the rows that refer to them: a row's `relationships.domain.data {type,
 * id}` becomes `row.domain` (R165). Rows without relationships stay unchanged; references without record are omitted.
 */
export function mergeIncluded(rows: readonly Wire[], included: readonly Wire[]): Wire[] {
  if (included.length === 0) return [...rows]
  const records = new Map(included.map(record => [pointer(record['type'], record['id']), record]))
  return rows.map(row => ({ ...row, ...relatedRecords(row, records) }))
}

function relatedRecords(row: Wire, records: ReadonlyMap<string, Wire>): Wire {
  if (!isWire(row['relationships'])) return {}
  const found = Object.entries(row['relationships']).flatMap(([name, relationship]): [string, unknown][] => {
    const data = isWire(relationship) ? relationship['data'] : undefined
    if (Array.isArray(data)) return [[name, data.flatMap(one => lookUp(one, records) ?? [])]]
    const record = lookUp(data, records)
    return record ? [[name, record]] : []
  })
  return Object.fromEntries(found)
}

function lookUp(data: unknown, records: ReadonlyMap<string, Wire>): Wire | undefined {
  const record = isWire(data) ? records.get(pointer(data['type'], data['id'])) : undefined
  return record && fieldsOf(record)
}

/** A record's own fields, which may be called `type` or `id` like those of its reference. */
function fieldsOf(record: Wire): Wire {
  return isWire(record['attributes']) ? record['attributes'] : record
}

/** Ids are numbers in plain responses and strings in JSON:API ones (T7): compared as text. */
function pointer(type: unknown, id: unknown): string {
  return `${String(type)} ${String(id)}`
}

export function isWire(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
