import type { Resource } from '@emma/contract/define-resource.ts'
import { type ErrorBody, errorTable } from '@emma/contract/errors.ts'
import type { Fields } from '@emma/core/resource/operations.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** https://jsonapi.org/format/1.1/ */
export const jsonApiType = 'application/vnd.api+json'

export function wantsJsonApi({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes(jsonApiType) ?? false
}

/**
 * Formats responses of a resource as JSON:API on request (R164, T7): the same data as type, id (text), attributes
 * (with the key as a number) and relationships.
 */
export function asJsonApi(resource: Resource) {
  return async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    void reply.header('vary', 'Accept')
    if (!wantsJsonApi(request) || reply.statusCode >= 400) return payload
    void reply.type(jsonApiType)
    return isFields(payload) ? toDocument(resource, payload) : payload
  }
}

function toDocument(resource: Resource, payload: Fields): Fields {
  const { data, included, pagination } = payload
  if (typeof payload.deletable === 'boolean') return { meta: payload }
  const beside = Array.isArray(included) ? { included: included.filter(isFields).map(withTextId) } : {}
  if (Array.isArray(data))
    return {
      data: data.filter(isFields).map(row => toObject(resource, row)),
      ...beside,
      meta: { pagination },
    }
  if (isFields(data)) return { data: toObject(resource, data), ...beside }
  return { data: toObject(resource, payload) }
}

function toObject(resource: Resource, { relationships, ...attributes }: Fields): Fields {
  const pointers = isFields(relationships) ? Object.entries(relationships) : []
  return {
    type: resource.name,
    id: String(attributes[resource.key]),
    // `id` and `type` are members of their own and not allowed as attributes.
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [reserved[name] ?? name, value]),
    ),
    ...(pointers.length > 0 ? { relationships: Object.fromEntries(pointers.map(pointerWithTextId)) } : {}),
  }
}

const reserved: Partial<Record<string, string>> = { id: 'record_id', type: 'record_type' }

function pointerWithTextId([name, pointer]: [string, unknown]): [string, unknown] {
  return isFields(pointer) && isFields(pointer.data)
    ? [name, { data: withTextId(pointer.data) }]
    : [name, pointer]
}

function withTextId(object: Fields): Fields {
  return { ...object, id: String(object.id) }
}

/** Formats an error as JSON:API: one object per faulty field, with a pointer to it. */
export function jsonApiErrors(body: ErrorBody): Fields {
  const { status } = errorTable[body.code]
  const common = { status: String(status), code: body.code }
  const fields = body.fields ?? []
  const errors =
    fields.length === 0
      ? [{ ...common, title: body.error }]
      : fields.map(({ field, message }) => ({
          ...common,
          title: message,
          detail: `${field}: ${message}`,
          source:
            status === 400
              ? { parameter: field }
              : { pointer: `/data/attributes/${field.replaceAll('.', '/')}` },
        }))
  return { errors, meta: { error: body.error } }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
