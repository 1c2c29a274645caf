import { type Filter, type Resource, restorableMinutesOf } from '@emma/contract/define-resource.ts'
import { distinctFields, maximumLimit } from '@emma/contract/list-query.ts'
import { isReserved } from '@emma/contract/is-reserved.ts'
import type { Method } from '@emma/contract/permissions.ts'
import { recordSchema, writableFields } from '@emma/contract/resource-schemas.ts'
import { z } from 'zod'
import { createExample, recordExample } from './examples.ts'
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
  reference,
} from './operation.ts'

/** Describes the calls of a resource, for each of its paths. */
export function describeResource(components: Components, resource: Resource): Operation[] {
  const name = pascal(resource.name)
  const required = new Set<string>(resource.required.create)
  const writable = Object.entries(writableFields(resource))
  const shape = (isRequired: (field: string) => boolean) =>
    z.strictObject(
      Object.fromEntries(
        writable.map(([field, schema]) => [field, isRequired(field) ? schema : schema.optional()]),
      ),
    )
  components[name] = {
    ...toSchema(components, name, recordSchema(resource), 'output'),
    examples: [recordExample(resource)],
  }
  components[`${name}Create`] = toSchema(
    components,
    `${name}Create`,
    shape(field => required.has(field)),
    'input',
  )
  components[`${name}Change`] = toSchema(
    components,
    `${name}Change`,
    shape(() => false),
    'input',
  )
  const record = reference(name)
  const example = createExample(resource)
  const { [resource.key]: _key, ...changeable } = { ...example }
  const change = Object.fromEntries(Object.entries(changeable).slice(0, 1))

  return resource.paths.flatMap((path, index) => {
    const inPath = pathParameters(path)
    const one = `${path}{${resource.key}}`
    const key = pathParameter(resource.key, { type: 'integer', minimum: 1 })
    const operation = (
      verb: string,
      method: Operation['method'],
      right: Method,
      rest: Omit<Operation, 'method' | 'path' | 'id' | 'tag' | 'permission' | 'superadminOnly'> & {
        path: string
      },
    ): Operation => ({
      method,
      id: `${verb}${name}${index === 0 ? '' : index + 1}`,
      tag: resource.area,
      permission: `${resource.entity}:${right}`,
      superadminOnly: isReserved(resource, right),
      ...rest,
    })
    return [
      operation('list', 'get', 'get', {
        path,
        summary: `List: ${resource.name}`,
        parameters: [...inPath, ...listParameters(components, resource)],
        responses: { 200: answer('One page of records', pageOf(record)), ...errorsOf(400, 401, 403, 404) },
      }),
      operation('create', 'post', 'post', {
        path,
        summary: `Create: ${resource.name}`,
        parameters: inPath,
        requestBody: recordBody(reference(`${name}Create`), example),
        responses: { 201: answer('The new record', record), ...errorsOf(401, 403, 404, 409, 413, 415, 422) },
      }),
      operation('find', 'get', 'get', {
        path: one,
        summary: `Read one: ${resource.name}`,
        parameters: [...inPath, key, ...includedParameter(resource)],
        responses: {
          200: answer(
            'The record; with `explicitly_included[]` in `data`, and the related records in `included`',
            Object.keys(resource.included).length === 0
              ? record
              : {
                  oneOf: [
                    record,
                    {
                      type: 'object',
                      required: ['data', 'included'],
                      properties: { data: record, included },
                    },
                  ],
                },
          ),
          ...errorsOf(400, 401, 403, 404),
        },
      }),
      operation('change', 'patch', 'patch', {
        path: one,
        summary: `Change: ${resource.name}`,
        description: 'Missing fields stay unchanged, null clears.',
        parameters: [...inPath, key, reference('XRevision', 'parameters')],
        requestBody: recordBody(reference(`${name}Change`), change),
        responses: {
          200: answer('The record after the change', record),
          ...errorsOf(401, 403, 404, 409, 413, 415, 422),
        },
      }),
      operation('replace', 'put', 'patch', {
        path: one,
        summary: `Replace: ${resource.name}`,
        description: 'Missing fields are reset to their defaults.',
        parameters: [...inPath, key, reference('XRevision', 'parameters')],
        requestBody: recordBody(reference(`${name}Create`), example),
        responses: {
          200: answer('The record after the change', record),
          ...errorsOf(401, 403, 404, 409, 413, 415, 422),
        },
      }),
      operation('delete', 'delete', 'delete', {
        path: one,
        summary: `Delete: ${resource.name}`,
        parameters: [
          ...inPath,
          key,
          queryParameter(
            'test',
            { type: 'boolean' },
            'Dry run: deletes nothing, and returns whether the record could be deleted',
          ),
          reference('XRevision', 'parameters'),
        ],
        responses: {
          200: answer('With `test`: whether it can be deleted, and what uses it', reference('Removal')),
          204: { description: 'Deleted' },
          ...errorsOf(400, 401, 403, 404, 409),
        },
      }),
      ...(resource.deletedForEver
        ? []
        : [
            operation('restore', 'post', 'delete', {
              path: `${one}/restore`,
              summary: `Restore: ${resource.name}`,
              description: `Undoes a deletion, within ${restorableMinutesOf(resource)} minutes.`,
              parameters: [...inPath, key],
              responses: {
                200: answer('The restored record', record),
                ...errorsOf(401, 403, 404, 409, 422),
              },
            }),
          ]),
    ]
  })
}

/** A record as JSON, or as multipart (R162). */
function recordBody(schema: Schema, example: unknown): Schema {
  const parts = multipart(reference('RecordParts'), {
    file: { contentType: 'application/gzip, application/json' },
  })
  const { content, ...json } = body(schema, example)
  return { ...json, content: { ...(isObject(content) ? content : {}), ...parts } }
}

/** Parameters of every list, and the filters and sort fields of this one. */
function listParameters(components: Components, resource: Resource): Schema[] {
  const name = pascal(resource.name)
  const sortable = [...new Set([...resource.sort, resource.key, 'created_at', 'updated_at'])]
  const own: Record<string, Pick<Filter, 'operator' | 'value'>> = {
    [resource.key]: { operator: 'eq', value: z.int().positive() },
    ...(resource.tenant ? { client_id: { operator: 'eq', value: z.int().positive() } } : {}),
    ...resource.filters,
  }
  return [
    queryParameter(
      'limit',
      { type: 'integer', minimum: 0, maximum: maximumLimit },
      'Maximum number of records',
    ),
    queryParameter('offset', { type: 'integer', minimum: 0, default: 0 }, 'Number of records to skip'),
    queryParameter('skip', { type: 'integer', minimum: 0 }, 'Alternative name of `offset`'),
    queryParameter('pagesize', { type: 'integer', minimum: 1 }, 'Alternative name of `limit`'),
    queryParameter(
      'page',
      { type: 'integer', minimum: 1 },
      'Instead of `offset`: page number, counted from 1',
    ),
    queryParameter(
      'distinct',
      { type: 'string', enum: distinctFields(resource) },
      'One record per value of this field, the newest',
    ),
    ...(resource.search.length === 0
      ? []
      : [
          queryParameter(
            'search',
            { type: 'string', maxLength: 255 },
            `Searches ${resource.search.join(', ')}`,
          ),
        ]),
    queryParameter('orderby', { type: 'string', enum: sortable }, 'Field to sort by'),
    queryParameter('desc', { type: 'boolean' }, 'With `orderby`: from last to first'),
    queryParameter('sortkey', { type: 'string', enum: sortable }, 'Alternative name of `orderby`'),
    queryParameter('sortdesc', { type: 'boolean' }, 'Alternative name of `desc`, with `sortkey`'),
    ...Object.entries(own).map(([field, { operator, value }]) => {
      const items =
        operator === 'flag' ? { type: 'boolean' } : toQuerySchema(components, `${name}_${field}`, value)
      return queryParameter(`${field}[]`, { type: 'array', items, maxItems: 1000 }, meanings[operator])
    }),
    ...includedParameter(resource),
    queryParameter('recurring_only', { type: 'boolean' }, 'Accepted everywhere; filters lists of campaigns'),
    ...(resource.tenant
      ? [queryParameter('superadminview', { type: 'boolean' }, 'Superadmins: records of all clients')]
      : []),
  ]
}

const meanings: Record<Filter['operator'], string> = {
  eq: 'Is one of these',
  contains: 'Contains one of these',
  after: 'From this time on',
  before: 'Until then',
  flag: 'True or false',
  special: 'Matches one of these',
}

function includedParameter({ included: possible }: Resource): Schema[] {
  const names = Object.keys(possible)
  if (names.length === 0) return []
  const schema = { type: 'array', items: { type: 'string', enum: names } }
  return [queryParameter('explicitly_included[]', schema, 'Related records to return in `included`')]
}

const included = {
  type: 'array',
  description: 'Records of other resources, each once, with `type` and `id`',
  items: { type: 'object' },
}

function pageOf(record: Schema): Schema {
  return {
    type: 'object',
    required: ['data', 'included', 'pagination'],
    properties: { data: { type: 'array', items: record }, included, pagination: reference('Pagination') },
  }
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase())
}
