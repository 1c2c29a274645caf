import { isObject, type Schema } from './json-schema.ts'

/** Values that are no schemas, whatever their keys. */
const verbatim = new Set(['default', 'enum', 'example', 'examples', 'const'])

/**
 * The document as OpenAPI 3.0.3, whose schemas are older: for programs that read 3.1 slowly or not at all. Names of keys
 * and items of tuples have no equal there and are left out.
 * @param document OpenAPI 3.1
 */
export function toOpenapi30(document: Schema): Schema {
  const { info, ...rest } = document
  const { license, ...about } = isObject(info) ? info : {}
  const { identifier: _, ...named } = isObject(license) ? license : {}
  return { ...convertParts(rest), openapi: '3.0.3', info: { ...about, license: named } }
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert)
  return isObject(value) ? toOldSchema(convertParts(value)) : value
}

function convertParts(object: Schema): Schema {
  return Object.fromEntries(
    Object.entries(object).map(([key, part]) => {
      if (verbatim.has(key)) return [key, part]
      // The keys are names of fields here.
      if (key === 'properties' && isObject(part))
        return [key, Object.fromEntries(Object.entries(part).map(([name, field]) => [name, convert(field)]))]
      return [key, convert(part)]
    }),
  )
}

/** Objects that are no schemas have none of the replaced keywords. */
function toOldSchema({ propertyNames: _, prefixItems, contentMediaType, ...schema }: Schema): Schema {
  if (prefixItems) schema['items'] = {}
  if (contentMediaType) schema['format'] = 'binary'
  if ('const' in schema) replace(schema, 'const', { enum: [schema['const']] })
  const { examples, exclusiveMinimum, exclusiveMaximum, type, anyOf } = schema
  if (Array.isArray(examples)) replace(schema, 'examples', { example: examples[0] })
  if (typeof exclusiveMinimum === 'number')
    Object.assign(schema, { minimum: exclusiveMinimum, exclusiveMinimum: true })
  if (typeof exclusiveMaximum === 'number')
    Object.assign(schema, { maximum: exclusiveMaximum, exclusiveMaximum: true })
  if (Array.isArray(type) && type.includes('null'))
    Object.assign(schema, { type: type.find(one => one !== 'null'), nullable: true })
  if (Array.isArray(anyOf) && anyOf.some(isNull))
    replace(schema, 'anyOf', { ...oneOfThem(anyOf.filter(one => !isNull(one))), nullable: true })
  return schema
}

/** A single choice needs no list, unless it is a reference, beside which nothing counts. */
function oneOfThem(choices: unknown[]): Schema {
  const [first, ...others] = choices
  return isObject(first) && others.length === 0 && !('$ref' in first) ? first : { anyOf: choices }
}

function replace(schema: Schema, keyword: string, by: Schema): void {
  delete schema[keyword]
  Object.assign(schema, by)
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && schema['type'] === 'null'
}
