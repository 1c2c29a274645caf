import { z } from 'zod'
import { line, text } from './fields.ts'

export const messageLanguages = ['en', 'de', 'es'] as const
export type MessageLanguage = (typeof messageLanguages)[number]

/** Parts of a message that each of its languages has. */
export const languageParts = ['subject', 'preheader', 'body_long', 'body_mjml', 'body_text'] as const

/** A message in a language besides its default one, for the people who have chosen it. */
const languageVersion = z.strictObject({
  lang: z.enum(messageLanguages),
  subject: line(998).default(''),
  preheader: line(500).nullable().default(null),
  body_long: text(2_000_000).nullable().default(null),
  body_mjml: text(2_000_000).nullable().default(null),
  body_text: text(500_000).nullable().default(null),
})

export type LanguageVersion = z.infer<typeof languageVersion>

export const languageVersions = z.array(languageVersion).max(messageLanguages.length - 1)
