import { z } from 'zod'

/** A JSON Schema of the document (OpenAPI 3.1 uses draft 2020-12). */
export type Schema = Record<string, unknown>

/** Named schemas of a document. */
export type Components = Record<string, Schema>

/**
 * Converts a contract's schema to JSON Schema. Recursive parts become components, since a reference needs a target in
 * the document.
 * @param io `input`: what callers send; `output`: responses
 */
export function toSchema(
  components: Components,
  name: string,
  schema: z.ZodType,
  io: 'input' | 'output',
): Schema {
  const { $schema: _, $defs, ...made }: Schema = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  const rename = (part: unknown) => renamed(part, name)
  const definitions = isObject($defs) ? $defs : {}
  for (const [key, part] of Object.entries(definitions)) {
    const definition = rename(part)
    if (isObject(definition)) components[componentName(name, key)] = definition
  }
  const root = rename(made)
  return isObject(root) ? root : {}
}

/** Schema of a query value: it is parsed from text, so the output type is more useful than the input type. */
export function toQuerySchema(components: Components, name: string, schema: z.ZodType): Schema {
  const output = toSchema(components, name, schema, 'output')
  if (Object.keys(output).some(key => key !== 'default')) return withoutEmptyChoices(output)
  const input = toSchema(components, name, schema, 'input')
  return Object.keys(input).length > 0 ? withoutEmptyChoices(input) : { type: 'string' }
}

/** A flag is `boolean` or a text parsed as one, which the output schema cannot express. */
function withoutEmptyChoices(schema: Schema): Schema {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const choices = anyOf.filter(isObject).filter(choice => Object.keys(choice).length > 0)
  const [only] = choices
  return choices.length === 1 && only ? { ...rest, ...only } : { ...rest, anyOf: choices }
}

function renamed(part: unknown, name: string): unknown {
  if (Array.isArray(part)) return part.map(each => renamed(each, name))
  if (!isObject(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      const target = key === '$ref' && typeof value === 'string' ? /^#\/\$defs\/(.+)$/.exec(value)?.[1] : null
      return [key, target ? `#/components/schemas/${componentName(name, target)}` : renamed(value, name)]
    }),
  )
}

function componentName(name: string, key: string): string {
  return `${name}_${key.replaceAll(/\W/g, '')}`
}

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
