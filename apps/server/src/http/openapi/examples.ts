import type { Resource } from '@emma/contract/define-resource.ts'
import { commonFields, createSchema, writableFields } from '@emma/contract/resource-schemas.ts'
import { z } from 'zod'
import { isObject } from './json-schema.ts'

/** Returns an example body for POST: the required fields and simple optional ones; undefined if none is valid. */
export function createExample(resource: Resource): Record<string, unknown> | undefined {
  const fields = Object.entries(writableFields(resource)).filter(([field]) => field !== 'client_id')
  const required = new Set<string>(resource.required.create)
  const wanted = fields.filter(([field, schema]) => required.has(field) || isSimple(exampleOf(field, schema)))
  const body = exampleOfAll(Object.fromEntries(wanted.slice(0, required.size + 8)))
  return createSchema(resource).safeParse(body).success ? body : undefined
}

/** Returns an example of a record in a response. */
export function recordExample(resource: Resource): Record<string, unknown> {
  const answered = Object.entries(resource.fields).filter(([field]) => !resource.writeOnly?.includes(field))
  return exampleOfAll({
    ...Object.fromEntries(answered),
    ...commonFields,
    ...(resource.tenant ? { client_id: z.int() } : {}),
  })
}

/** For each field, the first value that its schema accepts; fields without one are omitted. */
export function exampleOfAll(fields: Record<string, z.ZodType>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, schema]) => {
      const value = exampleOf(field, schema)
      return value === undefined ? [] : [[field, value]]
    }),
  )
}

function exampleOf(field: string, schema: z.ZodType): unknown {
  return [...named(field), ...listed(schema), ...plain].find(value => schema.safeParse(value).success)
}

/** Values that fit the field's name. */
function named(field: string): unknown[] {
  if (field === 'client_id') return [20607]
  if (/e?mail/.test(field)) return ['ann@example.com']
  if (/url/.test(field)) return ['https://example.com/hook']
  if (field === 'name') return ['Autumn roast', 'Newsletter', 'example.com']
  if (/(^|_)ids?$/.test(field)) return [17, [17]]
  if (/language|lang/.test(field)) return ['en']
  if (/timezone/.test(field)) return ['Europe/Berlin']
  if (/password|secret/.test(field)) return [null]
  return []
}

/** Values of an enum. */
function listed(schema: z.ZodType): unknown[] {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const of = (part: unknown): unknown[] => {
    if (!isObject(part)) return []
    if (Array.isArray(part.enum)) return part.enum.filter(value => value !== null)
    if (Array.isArray(part.anyOf)) return part.anyOf.flatMap(of)
    const [first] = of(part.items)
    return first === undefined ? [] : [[first]]
  }
  return of(json)
}

const plain = [
  true,
  1,
  '2026-11-21T09:30:00Z',
  '2026-11-21',
  'Words for people',
  'example',
  'example.com',
  [],
  {},
  ['example'],
  [17],
  null,
]

function isSimple(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
