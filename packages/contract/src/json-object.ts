import { z } from 'zod'
import { checkFault } from './schema-faults.ts'

/** An object of JSON that PostgreSQL can store, of at most `max` characters. */
export function jsonObject(max: number) {
  return z.record(z.string(), z.json()).superRefine((value, context) => {
    const text = JSON.stringify(value)
    if (text.length > max) context.addIssue(tooLong(max))
    if (/\\u(?:0000|d[89a-f])/i.test(text) || !text.isWellFormed())
      context.addIssue(checkFault('field.broken'))
  })
}

function tooLong(max: number) {
  return { code: 'custom' as const, message: checkFault('field.too_long'), params: { values: { max } } }
}
