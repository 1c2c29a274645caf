import { z } from 'zod'
import type { Fields, Resource } from './define-resource.ts'
import { id, instant } from './fields.ts'

/** Fields that every record carries beside its own; all of them are written by the server alone. */
export const commonFields = {
  created_at: instant,
  updated_at: instant,
  created_by: id.nullable(),
  updated_by: id.nullable(),
  revision: z.int().nonnegative(),
}

export type Row<R extends Resource> = { [K in keyof R['fields']]: z.infer<R['fields'][K]> } & {
  [K in keyof typeof commonFields]: z.infer<(typeof commonFields)[K]>
} & { client_id?: number }

/** The schema of a record as the server answers it. */
export function recordSchema(resource: Resource): z.ZodObject {
  const { fields, writeOnly = [] } = resource
  const answered = Object.entries(fields).filter(([field]) => !writeOnly.includes(field))
  return z.looseObject({
    ...Object.fromEntries(answered),
    ...commonFields,
    ...(resource.tenant ? { client_id: id } : {}),
  })
}

/** Fields a person may write: without the read-only ones and without the common ones. */
export function writableFields(resource: Resource): Fields {
  const writable = Object.entries(resource.fields).filter(
    ([field]) => field !== resource.key && !resource.readOnly.includes(field),
  )
  return { ...Object.fromEntries(writable), ...(resource.tenant ? { client_id: id } : {}) }
}

/**
 * What POST takes: the required fields, the rest optional. Unknown fields are refused by name; read-only
 * and common ones are dropped, so that a record read may be sent back whole.
 */
export function createSchema(resource: Resource): z.ZodType<Record<string, unknown>> {
  const required = new Set<string>(resource.required.create)
  return writeSchema(resource, field => required.has(field))
}

/** What PATCH takes: any of the writable fields (absent = unchanged, null = cleared; T18). */
export function patchSchema(resource: Resource): z.ZodType<Record<string, unknown>> {
  return writeSchema(resource, () => false)
}

function writeSchema(
  resource: Resource,
  isRequired: (field: string) => boolean,
): z.ZodType<Record<string, unknown>> {
  const writable = Object.entries(writableFields(resource))
  const shape = Object.fromEntries(
    writable.map(([field, schema]) => [field, isRequired(field) ? required(schema) : schema.optional()]),
  )
  const dropped = new Set([
    resource.key,
    ...resource.readOnly,
    ...Object.keys(commonFields),
    // What can be brought along may be a field as well: the columns of a datasource are written.
    ...Object.keys(resource.included).filter(name => !Object.hasOwn(shape, name)),
    'id',
    // What a record is beside others; a resource may have a field of that name.
    ...('type' in shape ? [] : ['type']),
    'relationships',
    'deleted_at',
  ])
  return z.preprocess(
    body => (isPlainObject(body) ? withoutFields(body, dropped) : body),
    z.strictObject(shape),
  )
}

/** A required field names itself as missing, whatever its type says of undefined or null. */
function required(schema: z.ZodType): z.ZodType {
  return z
    .any()
    .superRefine((value: unknown, context) => {
      if (isMissing(value)) context.addIssue({ code: 'custom', message: 'is required' })
    })
    .pipe(schema)
}

/** R276: empty, null, undefined and [] are missing. */
export function isMissing(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    (typeof value === 'string' && value.trim() === '') ||
    (Array.isArray(value) && value.length === 0)
  )
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function withoutFields(body: Record<string, unknown>, dropped: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([field]) => !dropped.has(field)))
}
