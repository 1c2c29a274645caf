import { type Frequency, isFrequency } from '@emma/contract/contact-frequency.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import { type FormLanguage, type FormText, formTexts } from '@emma/contract/web-forms/form-texts.ts'
import { controls, honeypotName } from '@emma/contract/web-forms/render-form.ts'
import { valueReader } from '../members/member-values.ts'
import type { ActiveForm } from './find-form.ts'

/** A submission as read: values by column, or texts by field. */
export interface Submission {
  /** Values as they are stored; null is empty. */
  values: Record<string, string | null>
  /** Null if the form does not ask, or nothing was chosen. */
  frequency: Frequency | null
  errors: Record<string, string>
  /** Names that the form does not have. */
  unknown: string[]
}

/** Reads what was sent for a form: hidden fields take their default unless the URL may set them. */
export function readSubmission(
  form: ActiveForm,
  sent: Readonly<Record<string, string>>,
  lang: FormLanguage,
): Submission {
  const columns = new Map(form.columns.map(column => [column.column_name, column]))
  const open = form.fields.filter(field => !field.hidden || field.prefill)
  const names = new Set([...open.map(field => field.column), ...Object.values(controls), honeypotName(form)])
  if (!form.frequency) names.delete(controls.frequency)
  const values: Submission['values'] = {}
  const errors: Submission['errors'] = {}
  for (const field of form.fields) {
    const column = columns.get(field.column)
    if (!column) continue
    const isOpen = !field.hidden || field.prefill
    const isEmpty = !sent[field.column]?.trim()
    const text = isOpen && !isEmpty ? (sent[field.column] ?? '') : field.hidden ? (field.default ?? '') : ''
    const { value, fault } = readValue(column, text, !field.hidden && (field.required || !column.nullable))
    if (fault) errors[field.column] = textOf(fault, lang, column)
    else values[field.column] = value
  }
  const hasConsent = Object.values(form.consent).some(text => text?.trim())
  if (hasConsent && sent[controls.consent] !== String(form.consent_version))
    errors[controls.consent] = formTexts[lang].consent
  const chosen = form.frequency ? (sent[controls.frequency] ?? '') : ''
  const frequency = isFrequency(chosen) ? chosen : null
  if (chosen !== '' && frequency === null) errors[controls.frequency] = formTexts[lang].option
  return { values, frequency, errors, unknown: Object.keys(sent).filter(name => !names.has(name)) }
}

interface ReadValue {
  value: string | null
  fault?: string
}

function readValue(column: MemberColumn, text: string, isRequired: boolean): ReadValue {
  const isEmpty = text.trim() === ''
  if (column.data_type === 'bool' && isEmpty)
    return isRequired ? { value: null, fault: 'required' } : { value: 'false' }
  if (isEmpty) return isRequired ? { value: null, fault: 'required' } : { value: null }
  if (!text.isWellFormed()) return { value: null, fault: 'invalid' }
  const read = valueReader(column)(text)
  return typeof read === 'string' || read === null ? { value: read } : { value: null, fault: read.code }
}

function textOf(code: string, lang: FormLanguage, column: MemberColumn): string {
  const texts = formTexts[lang]
  return texts[nameOf(code, column)].replace('{max}', () => String(column.length ?? 255))
}

function nameOf(code: string, { data_type }: MemberColumn): FormText {
  if (code === 'required') return 'required'
  if (code === 'cell.too_long') return 'too_long'
  if (data_type === 'email') return 'email'
  if (data_type === 'int' || data_type === 'decimal') return 'number'
  if (data_type === 'date' || data_type === 'datetime') return 'date'
  return data_type === 'enum' ? 'option' : 'invalid'
}
