import {
  languageParts,
  type LanguageVersion,
  type MessageLanguage,
  messageLanguages,
} from '@emma/contract/message-languages.ts'
import { mergeLines } from '@emma/ui/form/merge-lines.ts'
import type { MergeParts } from '@emma/ui/form/use-record-form.ts'
import type { TemplateValues } from './template-values.ts'

const texts = ['body_mjml', 'body_long', 'body_text'] as const

/** Texts of a template whose lines are merged, in every language. */
export const mergedTexts = Object.fromEntries(
  ['', ...messageLanguages.map(lang => `${lang}.`)].flatMap(prefix =>
    texts.map(part => [`${prefix}${part}`, mergeLines] as const),
  ),
)

/**
 * Takes the further languages of a template apart, so that versions are compared by part of a language.
 *
 * @param labels of the form's fields
 * @param nameOf name of a language
 */
export function languagePartsOf(
  labels: Readonly<Record<string, string | undefined>>,
  nameOf: (lang: MessageLanguage) => string,
): MergeParts<TemplateValues> {
  return {
    split: ({ languages, ...values }) => ({
      ...values,
      ...Object.fromEntries(
        messageLanguages.flatMap(lang => {
          const version = languages.find(each => each.lang === lang)
          return [
            [lang, version !== undefined],
            ...languageParts.map(part => [`${lang}.${part}`, version?.[part] ?? null] as const),
          ]
        }),
      ),
    }),
    join: parts => {
      const isPart = (name: string) => messageLanguages.some(lang => name.split('.')[0] === lang)
      const values = Object.fromEntries(Object.entries(parts).filter(([name]) => !isPart(name)))
      const languages = messageLanguages.flatMap(lang =>
        parts[lang] === true ? [versionOf(lang, part => parts[`${lang}.${part}`])] : [],
      )
      return { ...values, languages } as unknown as TemplateValues
    },
    labels: Object.fromEntries(
      messageLanguages.flatMap(lang => [
        [lang, nameOf(lang)],
        ...languageParts.map(part => [`${lang}.${part}`, `${labels[part] ?? part} (${nameOf(lang)})`]),
      ]),
    ),
  }
}

function versionOf(lang: MessageLanguage, valueOf: (part: string) => unknown): LanguageVersion {
  const textOf = (part: string) => {
    const value = valueOf(part)
    return typeof value === 'string' ? value : null
  }
  return {
    lang,
    subject: textOf('subject') ?? '',
    preheader: textOf('preheader'),
    body_long: textOf('body_long'),
    body_mjml: textOf('body_mjml'),
    body_text: textOf('body_text'),
  }
}
