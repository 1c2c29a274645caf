import { actions } from '@emma/contract/action-list.ts'
import { areas } from '@emma/contract/areas.ts'
import { errorTable } from '@emma/contract/errors.ts'
import { resources } from '@emma/contract/resource-list.ts'
import { describeAction } from './describe-action.ts'
import { describeResource } from './describe-resource.ts'
import type { Components, Schema } from './json-schema.ts'
import { errorResponses, type Operation } from './operation.ts'
import { plainOperations } from './plain-operations.ts'

/** Generates the OpenAPI 3.1 description of the API from the contracts. */
export function buildOpenapi(version: string): Schema {
  const components: Components = { ...shared }
  const operations = [
    ...resources.flatMap(resource => describeResource(components, resource)),
    ...actions.flatMap(action => describeAction(components, action)),
    ...plainOperations,
  ]
  const used = new Set(operations.map(operation => operation.tag))
  return {
    openapi: '3.1.0',
    info: { title: 'EMMA', version, description: introduction, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/api' }],
    security: [{ bearer: [] }],
    tags: areas.filter(area => used.has(area)).map(name => ({ name })),
    paths: pathsOf(operations),
    components: {
      schemas: components,
      responses: errorResponses(),
      parameters: {
        XRevision: {
          name: 'X-Revision',
          in: 'header',
          description:
            'The `revision` of the record as it was read: writing with an outdated one is rejected with 409.',
          schema: { type: 'integer', minimum: 0 },
        },
      },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token returned by `POST /auth/login`, or an API token created in the console.',
        },
      },
    },
  }
}

const introduction = `Everything the console can do.

Lists take \`limit\`, \`offset\`, \`search\`, \`orderby\` with \`desc\`, and filters as \`name[]=value\`; unknown parameters are
refused by name. Bodies may be sent with \`Content-Encoding: gzip\`. Times are ISO 8601 in UTC. A slash at the end of a path
does not matter. Refusals are \`{ error, code, reason, values, fields }\`. \`x-permission\` names the permission that a call needs,
\`x-also-needs\` those that it needs besides.`

const values = {
  type: 'object',
  description: 'What the text of the code names',
  additionalProperties: true,
} as const

const shared: Components = {
  Error: {
    type: 'object',
    required: ['error', 'code'],
    properties: {
      error: { type: 'string', description: 'For people' },
      code: { type: 'string', enum: Object.keys(errorTable), description: 'For programs' },
      reason: {
        type: 'string',
        description: 'The code of what `error` says, where it says more than `code`',
      },
      values,
      fields: {
        type: 'array',
        description: 'Each faulty field or parameter',
        items: {
          type: 'object',
          required: ['field', 'code', 'message'],
          properties: {
            field: { type: 'string' },
            code: { type: 'string' },
            values,
            message: { type: 'string' },
          },
        },
      },
    },
  },
  Pagination: {
    type: 'object',
    required: ['limit', 'offset', 'total'],
    properties: { limit: { type: 'integer' }, offset: { type: 'integer' }, total: { type: 'integer' } },
  },
  RecordParts: {
    type: 'object',
    properties: {
      file: {
        type: 'string',
        contentMediaType: 'application/json',
        description: 'The record as a JSON file, plain or gzip.',
      },
    },
    additionalProperties: {
      description: 'One field as JSON or text. A later part overrides an earlier one.',
    },
  },
  Removal: {
    type: 'object',
    required: ['deletable', 'references'],
    properties: {
      deletable: { type: 'boolean' },
      references: {
        type: 'array',
        items: {
          type: 'object',
          properties: { type: { type: 'string' }, id: { type: 'integer' }, name: { type: 'string' } },
        },
      },
    },
  },
}

/** Paths that differ only in parameter names are one path, with the names of the first. */
function pathsOf(operations: readonly Operation[]): Record<string, Schema> {
  const names = new Map<string, string>()
  const paths: Record<string, Schema> = {}
  const ids = new Set<string>()
  for (const operation of operations) {
    const form = pathForm(operation.path)
    const path = names.get(form) ?? operation.path
    names.set(form, path)
    const item = (paths[path] ??= {})
    if (item[operation.method]) continue
    const id = ids.has(operation.id) ? `${operation.id}_${ids.size}` : operation.id
    ids.add(id)
    item[operation.method] = present({ ...operation, id }, path)
  }
  return paths
}

/** A path without parameter names and trailing slash. */
export function pathForm(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}').replace(/(.)\/$/, '$1')
}

function present(operation: Operation, path: string): Schema {
  const { id, tag, summary, description, permission, superadminOnly, requestBody, responses } = operation
  const { alsoNeeds = [] } = operation
  const own = namesIn(operation.path)
  const shown = namesIn(path)
  const parameters = operation.parameters.map(parameter =>
    parameter.in === 'path' ? { ...parameter, name: shown[own.indexOf(String(parameter.name))] } : parameter,
  )
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(permission === 'public' ? { security: [] } : {}),
    ...(permission === null || permission === 'public' ? {} : { 'x-permission': permission }),
    ...(alsoNeeds.length === 0 ? {} : { 'x-also-needs': alsoNeeds }),
    ...(superadminOnly ? { 'x-superadmin-only': true } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses,
  }
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}
