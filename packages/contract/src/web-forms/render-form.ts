import type { BrandValues } from '../client-brand.ts'
import { columnSynonyms } from '../column-synonyms.ts'
import { frequencyNames } from '../contact-frequency.ts'
import type { Row } from '../resource-schemas.ts'
import type { MemberColumn } from '../resources/membertable.ts'
import type { webform, WebformField } from '../resources/webform.ts'
import { topicName } from '../topic-name.ts'
import { formCss } from './form-style.ts'
import { type FormLanguage, formTexts, inLanguage } from './form-texts.ts'

type Form = Row<typeof webform>

/** A form with the columns that its fields fill. */
export type PublicForm = Pick<
  Form,
  | 'name'
  | 'fields'
  | 'texts'
  | 'consent'
  | 'consent_version'
  | 'doi'
  | 'frequency'
  | 'honeypot'
  | 'style'
  | 'modal_size'
  | 'url'
> & {
  columns: readonly MemberColumn[]
  brand: BrandValues
}

/** What a visitor has entered, and what was found in it. */
export interface FormState {
  values?: Readonly<Record<string, string>>
  /** Texts by field. */
  errors?: Readonly<Record<string, string>>
  notice?: string
  /** Signed time at which the form was shown. */
  start?: string
}

/** Names of controls begin with _, which columns cannot. */
export const controls = {
  start: '_start',
  lang: '_lang',
  consent: '_consent',
  frequency: '_frequency',
  page: '_page',
  proof: '_proof',
} as const

/** HTML of a form: works without script, and is the same on the public page, on websites and in the preview. */
export function renderForm(
  form: PublicForm,
  lang: FormLanguage,
  state: FormState = {},
  heading: 'h1' | 'h2' = 'h2',
): string {
  const own = textsOf(form, lang)
  const texts = formTexts[lang]
  const steps = [...new Set(shownFields(form).map(({ field }) => field.step))].toSorted((a, b) => a - b)
  const last = steps.at(-1)
  const parts = steps.map(step => {
    const fields = shownFields(form).filter(({ field }) => field.step === step)
    const end = step === last ? frequencyField(form, lang, state) + consentField(form, lang, state) : ''
    return `<fieldset data-step="${step}">${renderFields(fields, lang, state)}${end}</fieldset>`
  })
  return `<form class="emma" method="post" action="${escapeHtml(form.url)}" lang="${lang}" data-next="${texts.next}" data-back="${texts.back}" data-steps="${texts.step}">
${own.title ? `<${heading}>${escapeHtml(own.title)}</${heading}>` : ''}
${own.intro ? `<p>${escapeHtml(own.intro)}</p>` : ''}
<p class="notice" role="alert">${escapeHtml(state.notice ?? '')}</p>
<input type="hidden" name="${controls.start}" value="${escapeHtml(state.start ?? '')}">
<input type="hidden" name="${controls.lang}" value="${lang}">
${hiddenFields(form, state)}${form.honeypot ? renderHoneypot(form, lang) : ''}${parts.join('\n')}
<div class="actions"><button type="submit">${escapeHtml(own.button || texts.button)}</button></div>
</form>`
}

/** Replaces the form after a submission; the same for everybody, as it must not tell who is on the list. */
export function renderThanks(form: PublicForm, lang: FormLanguage, heading: 'h1' | 'h2' = 'h2'): string {
  const texts = formTexts[lang]
  const text = textsOf(form, lang).thanks || (form.doi ? texts.thanks_doi : texts.thanks_done)
  return `<div class="emma" role="status" tabindex="-1" lang="${lang}"><${heading}>${texts.thanks}</${heading}><p>${escapeHtml(text)}</p></div>`
}

/** The whole page around a form or the thanks. @param script URL of the script; null: without */
export function renderFormPage(
  form: Pick<PublicForm, 'name' | 'style' | 'modal_size' | 'brand'>,
  lang: FormLanguage,
  content: string,
  script: string | null,
): string {
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(form.name)}</title>
<style>body{margin:0;padding:1rem}${formCss(form)}</style>
</head>
<body><main>${content}</main>${script === null ? '' : `<script src="${escapeHtml(script)}" async></script>`}</body>
</html>`
}

interface ShownField {
  field: WebformField
  column: MemberColumn
}

/** The fields that visitors see. Columns that were removed from the datasource are left out. */
export function shownFields(form: Pick<PublicForm, 'fields' | 'columns'>): ShownField[] {
  return form.fields
    .filter(field => !field.hidden)
    .flatMap(field => {
      const column = form.columns.find(({ column_name }) => column_name === field.column)
      return column ? [{ field, column }] : []
    })
}

/** Name of the field that only programs fill in: none of the form's own. */
export function honeypotName({ fields }: Pick<PublicForm, 'fields'>): string {
  const names = new Set(fields.map(({ column }) => column))
  return ['website', 'homepage', 'company_url'].find(name => !names.has(name)) ?? 'website_address'
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

function textsOf(form: PublicForm, lang: FormLanguage) {
  return inLanguage(form.texts, lang) ?? {}
}

/** Hidden fields whose value may come from the URL; the server knows the others. */
function hiddenFields({ fields }: PublicForm, { values = {} }: FormState): string {
  return fields
    .filter(field => field.hidden && field.prefill)
    .map(
      ({ column, default: initial }) =>
        `<input type="hidden" name="${column}" value="${escapeHtml(values[column] ?? initial ?? '')}" data-prefill>\n`,
    )
    .join('')
}

function renderHoneypot(form: PublicForm, lang: FormLanguage): string {
  const name = honeypotName(form)
  return `<div class="extra" aria-hidden="true"><label for="f-${name}">${formTexts[lang].website}</label><input id="f-${name}" name="${name}" tabindex="-1" autocomplete="off"></div>\n`
}

/** Topics that follow each other are a group. */
function renderFields(fields: readonly ShownField[], lang: FormLanguage, state: FormState): string {
  const isTopic = (shown: ShownField | undefined) =>
    shown?.column.data_type === 'bool' && shown.column.topic !== null
  return fields
    .map((shown, at) => {
      const { column_name: name } = shown.column
      const isFirst = isTopic(shown) && !isTopic(fields[at - 1])
      const isLast = isTopic(shown) && !isTopic(fields[at + 1])
      const id = `f-${name}-topics`
      const start = `<div role="group" aria-labelledby="${id}"><p class="label" id="${id}">${formTexts[lang].topics}</p>`
      return `${isFirst ? start : ''}${renderField(shown, lang, state)}${isLast ? '</div>' : ''}`
    })
    .join('')
}

/** The same choice as on the preference page; what the address has chosen already is not shown. */
function frequencyField(
  { frequency }: PublicForm,
  lang: FormLanguage,
  { values = {}, errors = {} }: FormState,
) {
  if (!frequency) return ''
  const name = controls.frequency
  const chosen = values[name] ?? 'all'
  const options = frequencyNames.map(
    option =>
      `<label><input type="radio" name="${name}" value="${option}"${option === chosen ? ' checked' : ''}> ${formTexts[lang][option]}</label>`,
  )
  return `<div class="field choice" role="radiogroup" aria-labelledby="f-frequency"><p class="label" id="f-frequency">${formTexts[lang].frequency}</p>${options.join('')}<p class="error">${escapeHtml(errors[name] ?? '')}</p></div>`
}

function renderField({ field, column }: ShownField, lang: FormLanguage, state: FormState): string {
  const name = field.column
  const label = inLanguage(field.label, lang) ?? topicName(column, lang)
  const value = state.values?.[name] ?? (state.values ? '' : (field.default ?? ''))
  const error = state.errors?.[name] ?? ''
  const isRequired = field.required || !column.nullable
  const attributes = [
    `id="f-${name}" name="${name}" aria-describedby="f-${name}-error"`,
    isRequired ? ' required' : '',
    error ? ' aria-invalid="true"' : '',
    field.prefill ? ' data-prefill' : '',
    autocompleteOf(column),
  ].join('')
  const mark = isRequired ? ` <span aria-hidden="true">*</span>` : ''
  const labelled = `<label for="f-${name}">${escapeHtml(label)}${mark}</label>`
  const fault = `<p class="error" id="f-${name}-error">${escapeHtml(error)}</p>`
  if (column.data_type === 'bool')
    return `<div class="field check"><input type="checkbox" value="true" ${attributes}${isTrue(value) ? ' checked' : ''}>${labelled}${fault}</div>`
  return `<div class="field">${labelled}${inputOf(column, value, attributes, lang)}${fault}</div>`
}

function isTrue(value: string): boolean {
  return ['true', '1', 'on', 'yes'].includes(value.toLowerCase())
}

function inputOf(column: MemberColumn, value: string, attributes: string, lang: FormLanguage): string {
  const length = column.length ? ` maxlength="${column.length}"` : ''
  const shown = escapeHtml(value)
  switch (column.data_type) {
    case 'text':
      return `<textarea ${attributes}${length}>${shown}</textarea>`
    case 'enum': {
      const options = column.options.map(
        option =>
          `<option value="${escapeHtml(option)}"${option === value ? ' selected' : ''}>${escapeHtml(option)}</option>`,
      )
      return `<select ${attributes}><option value="">${formTexts[lang].choose}</option>${options.join('')}</select>`
    }
    default:
      return `<input type="${inputTypes[column.data_type] ?? 'text'}" ${attributes}${length} value="${shown}"${column.data_type === 'int' ? ' inputmode="numeric"' : ''}>`
  }
}

const inputTypes: Partial<Record<MemberColumn['data_type'], string>> = {
  email: 'email',
  date: 'date',
  datetime: 'datetime-local',
}

/** Purposes of columns (WCAG 2.2, 1.3.5), by the common names of their contents. */
const purposes: readonly [name: string, purpose: string][] = [
  ['email', 'email'],
  ['salutation', 'honorific-prefix'],
  ['firstname', 'given-name'],
  ['lastname', 'family-name'],
  ['birthday', 'bday'],
  ['city', 'address-level2'],
  ['zip', 'postal-code'],
  ['country', 'country-name'],
]

function autocompleteOf({ column_name, data_type }: MemberColumn): string {
  const plain = column_name.replaceAll('_', '')
  const purpose =
    data_type === 'email'
      ? 'email'
      : purposes.find(([name]) => name === plain || columnSynonyms[name]?.includes(plain))?.[1]
  return purpose ? ` autocomplete="${purpose}"` : ''
}

function consentField(form: PublicForm, lang: FormLanguage, { errors = {} }: FormState): string {
  const text = inLanguage(form.consent, lang)
  if (!text?.trim()) return ''
  const id = 'f-consent'
  const error = errors[controls.consent] ?? ''
  return `<div class="field check"><input type="checkbox" id="${id}" name="${controls.consent}" value="${form.consent_version}" required aria-describedby="${id}-error"${error ? ' aria-invalid="true"' : ''}><label for="${id}">${withLinks(text)}</label><p class="error" id="${id}-error">${escapeHtml(error)}</p></div>`
}

/** Escapes a text, with `[text](https://…)` as links. */
function withLinks(text: string): string {
  return text
    .split(/(\[[^\][]{1,200}\]\(https:\/\/[^\s()"'<>]{1,500}\))/)
    .map(part => {
      const link = /^\[(.+)\]\((https:.+)\)$/s.exec(part)
      return link
        ? `<a href="${escapeHtml(link[2] ?? '')}" target="_blank" rel="noopener">${escapeHtml(link[1] ?? '')}</a>`
        : escapeHtml(part)
    })
    .join('')
}
