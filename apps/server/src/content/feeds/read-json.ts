import { fault, type Fault } from '@emma/contract/faults.ts'
import type { JsonValue } from '@emma/mail/template/json-value.ts'
import { FEED_LIMITS } from '../../network/limits.ts'

/** Limits of the values in a document. */
type Limits = Pick<Record<keyof typeof FEED_LIMITS, number>, 'dataValues' | 'dataDepth'>

/**
 * Reads JSON of a foreign server: bounded in values and levels, without names of prototypes, with texts that PostgreSQL
 * can store.
 *
 * @param url named in faults
 */
export function readJson(
  source: string,
  url: string,
  limits: Limits = FEED_LIMITS,
): { data: JsonValue } | { fault: Fault } {
  let parsed: unknown
  try {
    parsed = JSON.parse(source.replace(/^\uFEFF/, ''))
  } catch {
    return { fault: /^\s*</.test(source) ? fault('feed.page', { url }) : fault('feed.not_json', { url }) }
  }
  let values = 0
  try {
    return { data: read(parsed, 1) }
  } catch (error) {
    if (!(error instanceof LimitError)) throw error
    return { fault: error.fault }
  }

  function read(value: unknown, level: number): JsonValue {
    if (++values > limits.dataValues)
      throw new LimitError(fault('feed.json_many', { url, max: limits.dataValues }))
    if (typeof value === 'string') return storable(value)
    // Numbers too large for JavaScript are infinite.
    if (typeof value === 'number') return Number.isFinite(value) ? value : null
    if (typeof value !== 'object' || value === null) return value === true || value === false ? value : null
    if (level > limits.dataDepth)
      throw new LimitError(fault('feed.json_deep', { url, max: limits.dataDepth }))
    if (Array.isArray(value)) return value.map(one => read(one, level + 1))
    const entries = Object.entries(value).filter(([key]) => !prototypeNames.has(key))
    return Object.fromEntries(entries.map(([key, one]) => [storable(key), read(one, level + 1)]))
  }
}

class LimitError extends Error {
  override name = 'LimitError'
  readonly fault: Fault

  constructor(of: Fault) {
    super(of.message)
    this.fault = of
  }
}

const prototypeNames = new Set(['__proto__', 'constructor', 'prototype'])

/** Without NUL and lone surrogates. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed()
}
