import { z } from 'zod'
import { line } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'

export const dataTypes = ['text', 'number', 'boolean', 'date', 'url', 'object', 'list'] as const
export type DataType = (typeof dataTypes)[number]

/** A field of the data that calls of a transactional email pass to its template, read there as `{{ data.NAME }}`. */
export interface DataField {
  name: string
  type: DataType
  required: boolean
  /** Shown in the documentation and in previews; null: a value made from the type. */
  example: string | null
  /** Fields of an object, or of each item of a list. Empty: a list of texts, or an object with any fields. */
  fields: DataField[]
}

/** Levels of objects and lists, fields of all levels together, items of a list. */
export const dataLimits = { depth: 3, fields: 100, items: 1000, textLength: 100_000 } as const

const field: z.ZodType<DataField> = z.strictObject({
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, checkFault('field.name')),
  type: z.enum(dataTypes),
  required: z.boolean().default(false),
  example: line(500).nullable().default(null),
  get fields() {
    return z.array(field).max(dataLimits.fields).default([])
  },
}) as unknown as z.ZodType<DataField>

/** Fields of the data of a transactional email; without any, calls may pass what they like. */
export const dataFields = z
  .array(field)
  .max(dataLimits.fields)
  .superRefine((fields, context) => {
    let count = 0
    const visit = (level: readonly DataField[], path: (string | number)[]): void => {
      const names = new Set<string>()
      for (const [index, { name, fields: inner }] of level.entries()) {
        const at = [...path, index]
        if (names.has(name))
          context.addIssue({ code: 'custom', message: checkFault('field.taken'), path: [...at, 'name'] })
        names.add(name)
        count++
        if (inner.length === 0) continue
        if ((at.length + 1) / 2 >= dataLimits.depth)
          context.addIssue({ code: 'custom', message: checkFault('field.too_deep'), path: [...at, 'fields'] })
        else visit(inner, [...at, 'fields'])
      }
    }
    visit(fields, [])
    if (count > dataLimits.fields)
      context.addIssue({
        code: 'custom',
        message: checkFault('field.too_many_items'),
        params: { values: { max: dataLimits.fields } },
      })
  })

const anything = z.record(z.string(), z.json())

/** Schema of the data of a call. Fields that are not described are refused, as they are usually misspelled. */
export function dataSchema(fields: readonly DataField[]): z.ZodType<Record<string, unknown>> {
  if (fields.length === 0) return anything
  return z.strictObject(
    Object.fromEntries(
      fields.map(each => {
        const schema = valueSchema(each)
        return [each.name, each.required ? schema : schema.nullish()]
      }),
    ),
  )
}

function valueSchema({ type, fields }: DataField): z.ZodType {
  switch (type) {
    case 'text':
      return z.string().max(dataLimits.textLength)
    case 'number':
      return z.number()
    case 'boolean':
      return z.boolean()
    case 'date':
      return z.union([z.iso.date(), z.iso.datetime({ offset: true })], checkFault('field.time_example'))
    case 'url':
      return z.url({ protocol: /^https?$/, hostname: /./, error: checkFault('field.url') }).max(2000)
    case 'object':
      return dataSchema(fields)
    case 'list':
      return z.array(fields.length === 0 ? z.string() : dataSchema(fields)).max(dataLimits.items)
  }
}

/** Data with the examples of the fields, for documentation, previews and the test console. */
export function exampleData(fields: readonly DataField[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(each => [each.name, exampleOf(each)]))
}

function exampleOf({ name, type, example, fields }: DataField): unknown {
  switch (type) {
    case 'text':
      return example ?? name
    case 'number':
      return example !== null && Number.isFinite(Number(example)) ? Number(example) : 42
    case 'boolean':
      return example !== 'false'
    case 'date':
      return example ?? '2026-12-31'
    case 'url':
      return example ?? 'https://example.com/'
    case 'object':
      return exampleData(fields)
    case 'list':
      return [fields.length === 0 ? (example ?? name) : exampleData(fields)]
  }
}
