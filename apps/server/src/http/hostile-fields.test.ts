import { actions } from '@emma/contract/action-list.ts'
import type { EmmaError } from '@emma/contract/errors.ts'
import { parseListQuery } from '@emma/contract/list-query.ts'
import { resources } from '@emma/contract/resource-list.ts'
import { createSchema, patchSchema, writableFields } from '@emma/contract/resource-schemas.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  bodyOf,
  brokenBodies,
  hostileQueryValues,
  hostileValues,
  listParameters,
  nested,
  queryNamesOf,
  readAs,
  refusalOf,
} from '../test/hostile-values.ts'
import { parseQuery } from './parse.ts'
import { fieldError } from '@emma/contract/errors.ts'

/**
 * Every malicious value in every field and parameter, against the schema of the call and the checks before it. Values
 * that pass are sent to the server in hostile-input.thorough.it.test.ts and action-conformance.it.test.ts.
 */

/** Random inputs of each schema; the seed is fixed. */
const numRuns = process.env['CI'] === undefined ? 50 : 200

const records = resources.flatMap(resource => {
  const [path] = resource.paths
  const fields = writableFields(resource)
  return [
    { title: `PATCH ${path}{id}`, schema: patchSchema(resource), fields },
    { title: `POST ${path}`, schema: createSchema(resource), fields },
  ]
})

const bodies = actions
  .filter(({ method }) => method !== 'GET')
  .map(({ method, paths, body }) => ({ title: `${method} ${paths[0]}`, schema: body, fields: shapeOf(body) }))

describe.each([...records, ...bodies].filter(({ fields }) => Object.keys(fields).length > 0))(
  '$title',
  ({ schema, fields }) => {
    test('names the field of every rejection', () => {
      const wrong: unknown[] = []
      for (const [field, own] of Object.entries(fields))
        for (const [kind, value] of Object.entries(hostileValues)) {
          const { body, refusal } = readAs(schema, bodyOf(field, value))
          const fault = faultOf(body, refusal)
          // A valid value may still be rejected because other fields are missing.
          const isTold = !refusal || isNamed(refusal, field) || own.safeParse(JSON.parse(value)).success
          if (fault !== null || !isTold) wrong.push({ field, kind, fault, fields: refusal?.fields })
        }
      expect(wrong).toEqual([])
    })

    test('never fails for any input', () => {
      fc.assert(
        fc.property(fc.dictionary(fc.constantFrom(...Object.keys(fields)), fc.jsonValue()), sent => {
          const { body, refusal } = readAs(schema, JSON.stringify(sent))
          expect(faultOf(body, refusal)).toBeNull()
        }),
        { numRuns, seed: 20_261_121 },
      )
    })
  },
)

test.each(records)('$title rejects non-objects', ({ schema, fields }) => {
  for (const payload of brokenBodies) {
    const { refusal } = readAs(schema, payload)
    expect({ payload: payload.slice(0, 20), code: refusal?.code }).toEqual({
      payload: payload.slice(0, 20),
      code: expect.toBeOneOf(['bad_request', 'invalid']),
    })
    expect(refusal?.message.length).toBeGreaterThan(10)
  }
  for (const unknown of ['nonsense', '__proto__', 'constructor'])
    for (const known of Object.keys(fields).slice(0, 1)) {
      const { refusal } = readAs(schema, `{${JSON.stringify(known)}:"a","${unknown}":{"superadmin":true}}`)
      expect(refusal?.fields).toContainEqual(fieldError(unknown, 'field.unknown'))
    }
})

test.each(bodies)('$title never fails for any body', ({ schema }) => {
  for (const payload of [...brokenBodies, nested(5_000), '{"__proto__":{"superadmin":true}}']) {
    const { body, refusal } = readAs(schema, payload)
    expect({ payload: payload.slice(0, 20), fault: faultOf(body, refusal) }).toEqual({
      payload: payload.slice(0, 20),
      fault: null,
    })
  }
})

test.each(actions.filter(({ query }) => queryNamesOf(query).length > 0))(
  '$method $paths.0 rejects malicious queries by parameter',
  ({ query }) => {
    for (const parameter of queryNamesOf(query))
      for (const value of hostileQueryValues) {
        const refusal = refusalOf(() => parseQuery(query, { [parameter]: value }))
        if (refusal) expect(refusal.code).toBe('bad_request')
        const isFitting = shapeOf(query)[parameter]?.safeParse(value).success
        if (!isFitting)
          expect({ parameter, value, isNamed: refusal && isNamed(refusal, parameter) }).toMatchObject({
            isNamed: true,
          })
      }
  },
)

test.each(resources)('the list of $name rejects malicious queries by parameter', resource => {
  const names = listParameters(resource)
  for (const name of names)
    for (const value of hostileQueryValues) {
      const refusal = refusalOf(() => parseListQuery(resource, { [name]: value }))
      const filter = resource.filters[name]
      if (filter)
        expect({ name, value, isRefused: refusal !== null }).toEqual({
          name,
          value,
          isRefused: !filter.value.safeParse(value).success,
        })
      if (refusal)
        expect({ code: refusal.code, fields: refusal.fields.map(({ field }) => field) }).toEqual({
          code: 'bad_request',
          fields: [name.replace('[]', '')],
        })
    }
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...hostileQueryValues, '%', '\\', '🦊', '-0'),
  )
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), fc.oneof(value, fc.array(value))), query => {
      const refusal = refusalOf(() => parseListQuery(resource, query))
      if (refusal)
        expect({ code: refusal.code, fault: faultOf(null, refusal) }).toEqual({
          code: 'bad_request',
          fault: null,
        })
    }),
    { numRuns, seed: 20_261_121 },
  )
})

/** The field itself, or a part of it. */
function isNamed(refusal: EmmaError, field: string): boolean {
  return refusal.fields.some(each => `${each.field}.`.startsWith(`${field}.`))
}

function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return shapeOf(z.instanceof(z.ZodType).parse(schema.unwrap()))
  return schema instanceof z.ZodObject
    ? z.record(z.string(), z.instanceof(z.ZodType)).parse(schema.shape)
    : {}
}

/** Fault of a rejection, or of what was accepted; null if none. */
function faultOf(body: unknown, refusal: EmmaError | null): string | null {
  if (!refusal) return holdsHostile(body) ? 'hands on what no field may hold' : null
  if (refusal.status >= 500) return `is the server's fault: ${refusal.code}`
  if (refusal.code !== 'invalid') return null
  const { fields } = refusal
  if (fields.length === 0 || fields.length > 50) return `names ${fields.length} fields`
  if (fields.some(({ field, message }) => field === '' || message.length < 5))
    return 'names a field without a reason'
  return JSON.stringify(fields).length > 20_000 ? 'repeats what was sent' : null
}

/** NUL, lone surrogates, infinite numbers and keys that reach prototypes. */
function holdsHostile(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\u0000') || !value.isWellFormed()
  if (typeof value === 'number') return !Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([key, each]) => key === '__proto__' || holdsHostile(key) || holdsHostile(each),
  )
}
