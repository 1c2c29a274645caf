import {
  languageParts,
  type LanguageVersion,
  type MessageLanguage,
} from '@emma/contract/message-languages.ts'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import type { TemplateValues } from './template-values.ts'

/** The form of a template with the parts of one of its further languages; null: the default language. */
export function languageForm(
  form: RecordForm<TemplateValues>,
  lang: MessageLanguage | null,
): RecordForm<TemplateValues> {
  const version = form.values.languages.find(each => each.lang === lang)
  if (!version) return form
  // Several parts can be set before the form renders again.
  let { languages } = form.values
  const setPart = (name: string, value: unknown) => {
    languages = languages.map(each => (each.lang === lang ? { ...each, [name]: value } : each))
    form.set('languages', languages)
  }
  return {
    ...form,
    values: { ...form.values, ...version },
    set: (name, value) => (isPart(name) ? setPart(name, value) : form.set(name, value)),
    field: name =>
      isPart(name)
        ? { ...form.field(name), value: version[name], error: undefined, set: value => setPart(name, value) }
        : form.field(name),
  }
}

/** A further language that begins as a copy of the default one. */
export function copyOfDefault(values: TemplateValues, lang: MessageLanguage): LanguageVersion {
  const { subject, preheader, body_long, body_mjml, body_text } = values
  return { lang, subject, preheader, body_long, body_mjml, body_text }
}

function isPart(name: string): name is (typeof languageParts)[number] {
  return languageParts.some(part => part === name)
}
