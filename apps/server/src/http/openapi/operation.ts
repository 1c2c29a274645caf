import { type ErrorCode, errorTable } from '@emma/contract/errors.ts'
import type { Schema } from './json-schema.ts'

/** One call of the API, before it is added to the document. */
export interface Operation {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** As in the contract: `{id}`, colon verbs, a trailing slash. */
  path: string
  id: string
  tag: string
  summary: string
  description?: string
  /** `null`: any session; `'public'`: none. */
  permission: string | null
  /** Required in addition to `permission`. */
  alsoNeeds?: readonly string[]
  superadminOnly: boolean
  parameters: Schema[]
  requestBody?: Schema
  responses: Record<string, Schema>
}

export function reference(name: string, kind: 'schemas' | 'parameters' | 'responses' = 'schemas'): Schema {
  return { $ref: `#/components/${kind}/${name}` }
}

export function pathParameter(name: string, schema: Schema): Schema {
  return { name, in: 'path', required: true, schema }
}

/** Path parameters without a schema of their own. */
export function pathParameters(path: string): Schema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    pathParameter(name, /(^|_)id$/.test(name) ? { type: 'integer', minimum: 1 } : { type: 'string' }),
  )
}

/** Filters with several values repeat their name: `status[]=a&status[]=b`. */
export function queryParameter(name: string, schema: Schema, description?: string): Schema {
  return {
    name,
    in: 'query',
    ...(description === undefined ? {} : { description }),
    ...(schema.type === 'array' ? { style: 'form', explode: true } : {}),
    schema,
  }
}

export function body(schema: Schema, example?: unknown): Schema {
  const content = { schema, ...(example === undefined ? {} : { example }) }
  return { required: true, content: { 'application/json': content } }
}

/** @param parts one property per part, in the order they are sent */
export function multipart(schema: Schema, encoding: Record<string, { contentType: string }>): Schema {
  return { 'multipart/form-data': { schema, encoding } }
}

export function answer(description: string, schema: Schema): Schema {
  return { description, content: { 'application/json': { schema } } }
}

/** Error responses of a call, by status. */
export function errorsOf(...statuses: number[]): Record<string, Schema> {
  return Object.fromEntries(
    [...statuses, 429, 503].map(status => [status, reference(`Error${status}`, 'responses')]),
  )
}

/** One response per status: its possible codes, with their texts. */
export function errorResponses(): Record<string, Schema> {
  const entries = Object.entries(errorTable)
  const statuses = [...new Set(entries.map(([, { status }]) => status))]
  return Object.fromEntries(
    statuses.map(status => {
      const codes = entries.filter(([, error]) => error.status === status)
      const [code, { text }] = codes[0] ?? ['internal' satisfies ErrorCode, errorTable.internal]
      return [
        `Error${status}`,
        {
          description: codes.map(([name, error]) => `\`${name}\`: ${error.text}`).join('  \n'),
          content: { 'application/json': { schema: reference('Error'), example: { error: text, code } } },
        },
      ]
    }),
  )
}
