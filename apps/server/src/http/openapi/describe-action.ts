import type { Action } from '@emma/contract/define-action.ts'
import { z } from 'zod'
import { exampleOfAll } from './examples.ts'
import { type Components, isObject, type Schema, toQuerySchema, toSchema } from './json-schema.ts'
import {
  answer,
  body,
  errorsOf,
  multipart,
  type Operation,
  pathParameter,
  pathParameters,
  queryParameter,
} from './operation.ts'

/** Describes an action, for each of its paths. */
export function describeAction(components: Components, action: Action): Operation[] {
  const { name, method } = action
  const requestBody = method === 'GET' ? undefined : requestOf(components, action)
  return action.paths.map((path, index) => ({
    method: lower[method],
    path,
    id: `${name}${index === 0 ? '' : index + 1}`,
    tag: action.area,
    summary: inWords(name),
    permission: action.permission,
    alsoNeeds: action.alsoNeeds ?? [],
    superadminOnly: action.superadminOnly === true,
    ...(action.perMinute === undefined
      ? {}
      : { description: `At most ${action.perMinute} calls per minute from one address.` }),
    parameters: [...inPath(components, action, path), ...inQuery(components, action)],
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: { [action.status ?? 200]: answerOf(components, action), ...refusals(action) },
  }))
}

const lower = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const

/** `verifyDomain` → `Verify domain`. */
function inWords(name: string): string {
  const words = name.replaceAll(/([A-Z])/g, (_, letter: string) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function inPath(components: Components, { name, params }: Action, path: string): Schema[] {
  const shape = shapeOf(params)
  return pathParameters(path).map(parameter => {
    const field = String(parameter.name)
    const schema = shape[field]
    return schema ? pathParameter(field, toQuerySchema(components, `${name}_${field}`, schema)) : parameter
  })
}

function inQuery(components: Components, { name, query }: Action): Schema[] {
  return Object.entries(shapeOf(query)).map(([field, schema]) => {
    const parameter = queryParameter(field, toQuerySchema(components, `${name}_${field}`, schema))
    return schema.safeParse(undefined).success ? parameter : { ...parameter, required: true }
  })
}

function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  if (!(schema instanceof z.ZodObject)) return {}
  return Object.fromEntries(
    Object.entries(schema.shape).flatMap(([field, part]) =>
      part instanceof z.ZodType ? [[field, part]] : [],
    ),
  )
}

function requestOf(components: Components, { name, body: schema, takesFile }: Action): Schema | undefined {
  const json = toSchema(components, `${name}Body`, schema, 'input')
  if (takesFile === true) return withFile(json)
  const { default: _, ...attributes } = json
  if (Object.keys(attributes).length === 0) return undefined
  const example = exampleOfAll(shapeOf(schema))
  const isFitting = Object.keys(example).length > 0 && schema.safeParse(example).success
  const described = body(json, isFitting ? example : undefined)
  if (takesFile === 'or_json')
    return { required: true, content: { ...Object(described.content), ...Object(withFile(json).content) } }
  return { ...described, required: !schema.safeParse(undefined).success }
}

/** `data`, then the file. */
function withFile(data: Schema): Schema {
  const parts = {
    type: 'object',
    required: ['file'],
    properties: {
      data: {
        ...data,
        description: 'JSON. Its fields may also be separate parts. Precedes the file.',
      },
      file: {
        type: 'string',
        contentMediaType: 'application/octet-stream',
        description: 'The file, plain or gzip; the last part.',
      },
    },
  }
  const encoding = {
    data: { contentType: 'application/json' },
    file: { contentType: 'application/octet-stream' },
  }
  return { required: true, content: multipart(parts, encoding) }
}

function answerOf(components: Components, action: Action): Schema {
  const description = 'Done'
  if (action.status === 204) return { description }
  if (action.answer === 'text')
    return { description, content: { 'text/plain': { schema: { type: 'string' } } } }
  if (action.answer === 'file')
    return { description: 'The file', content: { 'application/octet-stream': { schema: {} } } }
  const schema = toSchema(components, `${action.name}Answer`, action.response, 'output')
  return isObject(schema) && Object.keys(schema).length > 0
    ? answer(description, schema)
    : answer(description, {})
}

function refusals({ method, permission, keepsFile }: Action): Record<string, Schema> {
  const session = permission === 'public' ? [] : [401, 403]
  const disk = keepsFile ? [507] : []
  return errorsOf(400, ...session, 404, ...(method === 'GET' ? [] : [409, 413, 415, 422]), ...disk)
}
