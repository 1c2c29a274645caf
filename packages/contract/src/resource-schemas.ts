import { z } from 'zod'
import type { Fields, Resource } from './define-resource.ts'
import { id, instant } from './fields.ts'
import { checkFault } from './schema-faults.ts'

/** Common fields of all records, written only by the server. */
export const commonFields = {
  created_at: instant,
  updated_at: instant,
  created_by: id.nullable(),
  updated_by: id.nullable(),
  revision: z.int().nonnegative(),
}

type Common = { [K in keyof typeof commonFields]: z.infer<(typeof commonFields)[K]> }
type Values<R extends Resource> = { -readonly [F in keyof R['fields']]: z.infer<R['fields'][F]> }
type Tenant<R extends Resource> = R['tenant'] extends true ? { client_id: number } : unknown

/** A record as the API returns it. */
export type Row<R extends Resource> = Omit<Values<R>, WriteOnly<R>> & Common & Tenant<R>

/** A record in a list; fields that can be included are present only on request. */
export type Listed<R extends Resource, Record = Row<R>> = Omit<Record, keyof R['included']> & Partial<Record>

type WriteOnly<R extends Resource> = R extends { writeOnly: readonly (infer F extends string)[] } ? F : never

/** Fields that requests may write. */
export type Writable<R extends Resource> = Exclude<keyof R['fields'], R['key'] | R['readOnly'][number]>

/** Parsed body of POST (`createSchema`): the required fields and any others. */
export type Create<R extends Resource> = Pick<Values<R>, Required<R>> & Patch<R>

type Required<R extends Resource> = Writable<R> & R['required']['create'][number]

/** Parsed body of PATCH (`patchSchema`): absent = unchanged, null = cleared (T18). */
export type Patch<R extends Resource> = {
  -readonly [F in Writable<R>]?: Values<R>[F] | undefined
} & (R['tenant'] extends true ? { client_id?: number | undefined } : unknown)

/** Initial values of the form for a new record. An option or number without default is null. */
export type Initial<R extends Resource> = { -readonly [F in Writable<R>]: InitialValue<R['fields'][F]> }

type InitialValue<S> = S extends z.ZodDefault
  ? z.infer<S>
  : S extends z.ZodString | z.ZodArray
    ? z.infer<S>
    : z.infer<S> | null

/** Schema of a record as the server returns it. */
export function recordSchema(resource: Resource): z.ZodObject {
  const { fields, writeOnly = [] } = resource
  const answered = Object.entries(fields).filter(([field]) => !writeOnly.includes(field))
  return z.looseObject({
    ...Object.fromEntries(answered.map(([field, schema]) => [field, withoutDefault(schema)])),
    ...commonFields,
    ...(resource.tenant ? { client_id: id } : {}),
  })
}

/** Writable fields: all except read-only and common ones. */
export function writableFields(resource: Resource): Fields {
  const writable = Object.entries(resource.fields).filter(
    ([field]) => field !== resource.key && !resource.readOnly.includes(field),
  )
  return { ...Object.fromEntries(writable), ...(resource.tenant ? { client_id: id } : {}) }
}

/** Initial values of the form for a new record: defaults, else empty values of the field's type. */
export function initialValues<R extends Resource>(resource: R): Initial<R> {
  const { client_id: _client, ...fields } = writableFields(resource)
  const values = Object.entries(fields).map(([field, schema]) => [field, initialValue(schema)])
  return Object.fromEntries(values) as Initial<R>
}

function initialValue(schema: z.ZodType): unknown {
  if (hasDefault(schema)) return schema.parse(undefined)
  if (schema instanceof z.ZodString) return ''
  return schema instanceof z.ZodArray ? [] : null
}

/** Removes the default, as an absent field keeps the column's default or its value. */
export function withoutDefault(schema: z.ZodType): z.ZodType {
  return hasDefault(schema) ? schema.unwrap() : schema
}

function hasDefault(schema: z.ZodType): schema is z.ZodDefault<z.ZodType> {
  return schema instanceof z.ZodDefault
}

/**
 * Body of POST: the required fields, the rest optional. Unknown fields are rejected; read-only and common ones are
 * ignored, so that a record can be sent back as read.
 */
export function createSchema<R extends Resource>(resource: R): z.ZodType<Create<R>>
export function createSchema(resource: Resource): z.ZodType {
  return writeSchema(resource, needed)
}

/** Body of PATCH: writable fields to change (absent = unchanged, null = cleared; T18). Required fields cannot be null. */
export function patchSchema<R extends Resource>(resource: R): z.ZodType<Patch<R>>
export function patchSchema(resource: Resource): z.ZodType {
  return writeSchema(resource, schema => needed(schema).optional())
}

function writeSchema(resource: Resource, ofRequired: (schema: z.ZodType) => z.ZodType): z.ZodType {
  const required = new Set<string>(resource.required.create)
  const writable = Object.entries(writableFields(resource))
  const shape = Object.fromEntries(
    writable
      .map(([field, schema]) => [field, withoutDefault(schema)] as const)
      .map(([field, schema]) => [field, required.has(field) ? ofRequired(schema) : schema.optional()]),
  )
  const dropped = new Set([
    resource.key,
    ...resource.readOnly,
    ...Object.keys(commonFields),
    // An included name may also be a writable field, such as the columns of a datasource.
    ...Object.keys(resource.included).filter(name => !Object.hasOwn(shape, name)),
    'id',
    // JSON:API type; a resource may have a field of that name.
    ...('type' in shape ? [] : ['type']),
    'relationships',
    'deleted_at',
  ])
  return z.preprocess(
    body => (isPlainObject(body) ? withoutFields(body, dropped) : body),
    z.strictObject(shape),
  )
}

/** Reports a missing required field as such, instead of a type error. */
function needed(schema: z.ZodType): z.ZodType {
  return z
    .any()
    .superRefine((value: unknown, context) => {
      if (isMissing(value)) context.addIssue({ code: 'custom', message: checkFault('field.required') })
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
