import type { z } from 'zod'
import type { CodeOf, Fault, FaultValues } from './faults.ts'
import { filled } from './faults.ts'
import { fieldFaults } from './field-faults.ts'

type FieldCode = CodeOf<'field'>

/**
 * Code to give to a schema check in place of a message; `faultOfIssue` converts it to code, values and text. Values are
 * the limits of the check (`min`, `max`), or `params.values` of a refinement.
 */
export function checkFault(code: FieldCode): FieldCode {
  return code
}

/** Converts a validation issue to a fault. Checks without a code keep the message of zod. */
export function faultOfIssue(issue: z.core.$ZodIssue): Fault & { code: FieldCode } {
  const code = isFieldCode(issue.message) ? issue.message : codeOf(issue)
  const text = fieldFaults[nameOf(code)]
  const values = only(text, { ...limitsOf(issue), ...paramsOf(issue) })
  const message = code === issue.message ? filled(text, values) : plain(issue.message)
  return { code, ...(Object.keys(values).length > 0 && { values }), message }
}

function codeOf(issue: z.core.$ZodIssue): FieldCode {
  switch (issue.code) {
    case 'invalid_type':
      return types[issue.expected] ?? 'field.object'
    case 'invalid_value':
      return 'field.option'
    case 'invalid_format':
      return formats[issue.format] ?? 'field.invalid'
    case 'too_big':
      return tooBig[issue.origin] ?? 'field.too_high'
    case 'too_small':
      return tooSmall[issue.origin] ?? (issue.inclusive === false ? 'field.not_above' : 'field.too_low')
    case 'unrecognized_keys':
      return 'field.unknown'
    default:
      return 'field.invalid'
  }
}

const types: Partial<Record<string, FieldCode>> = {
  string: 'field.text',
  number: 'field.number',
  int: 'field.whole_number',
  boolean: 'field.yes_no',
}

const formats: Partial<Record<string, FieldCode>> = {
  email: 'field.email',
  url: 'field.url',
  date: 'field.date',
  datetime: 'field.time',
  ipv4: 'field.ip_address',
  ipv6: 'field.ip_address',
}

const tooBig: Partial<Record<string, FieldCode>> = {
  string: 'field.too_long',
  array: 'field.too_many_items',
}

const tooSmall: Partial<Record<string, FieldCode>> = {
  string: 'field.too_short',
  array: 'field.too_few_items',
}

function limitsOf(issue: z.core.$ZodIssue): FaultValues {
  if (issue.code === 'too_big') return { max: Number(issue.maximum) }
  return issue.code === 'too_small' ? { min: Number(issue.minimum) } : {}
}

function paramsOf(issue: z.core.$ZodIssue): FaultValues {
  return issue.code === 'custom' ? (issue.params?.['values'] ?? {}) : {}
}

/** Keeps the values that the text names. */
function only(text: string, values: FaultValues): FaultValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => text.includes(`{${name}}`)))
}

function isFieldCode(text: string): text is FieldCode {
  return text.startsWith(prefix) && Object.hasOwn(fieldFaults, text.slice(prefix.length))
}

const prefix = 'field.'

function nameOf(code: FieldCode): keyof typeof fieldFaults {
  return code.slice(prefix.length) as keyof typeof fieldFaults
}

/** Rephrases zod's "Invalid input: expected string, received number" for forms. */
function plain(message: string): string {
  return message.replace(/^Invalid input: expected (\w+), received (\w+)$/, 'must be $1, not $2')
}
