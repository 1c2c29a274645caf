import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { instant } from '../fields.ts'
import {
  languageLabel,
  textKey,
  textLanguages,
  textLimits,
  textNamespaces,
  textTree,
  translationRecord,
} from '../resources/translation.ts'
import { checkFault } from '../schema-faults.ts'

const language = z.enum(textLanguages)
const namespace = z.enum(textNamespaces)
const pagination = z.object({ limit: z.int(), offset: z.int(), total: z.int() })

/** All languages with all their texts (R238, R295). */
export const listTranslations = defineAction({
  name: 'listTranslations',
  area: 'platform',
  paths: ['/translation/'],
  permission: 'Translation:get',
  query: z.looseObject({}),
  response: z.object({ data: z.array(translationRecord), included: z.array(z.unknown()), pagination }),
})

/** Texts of one language, `{apiHost}/{namespace}/{language}` (R293). Public, as the login needs them. */
export const readTranslation = defineAction({
  name: 'readTranslation',
  area: 'platform',
  paths: ['/translation/{language}'],
  permission: 'public',
  params: z.object({ language }),
  query: z.looseObject({}),
  response: translationRecord.pick({ language: true, localisation: true, label: true, optional: true }),
})

const change = z.strictObject({
  localisation: textTree.optional(),
  label: languageLabel.optional(),
  optional: z.boolean().optional(),
})

/** Changes single texts of a language; null or an empty text restores the shipped one (R295). */
export const changeTranslation = defineAction({
  name: 'changeTranslation',
  largeBody: true,
  area: 'platform',
  method: 'PATCH',
  paths: ['/translation/{language}'],
  permission: 'Translation:patch',
  superadminOnly: true,
  params: z.object({ language }),
  body: change,
  response: translationRecord,
})

/** Replaces all texts of a language: those that `localisation` omits are reset to the shipped ones (R295, T18). */
export const replaceTranslation = defineAction({
  ...changeTranslation,
  name: 'replaceTranslation',
  method: 'PUT',
  body: change.required({ localisation: true }),
})

/** Texts only, at the default path of i18next's http backend (R296). */
export const readTexts = defineAction({
  name: 'readTexts',
  area: 'platform',
  paths: ['/locales/{language}/{namespace}.json'],
  permission: 'public',
  params: z.object({ language, namespace }),
  query: z.looseObject({}),
  response: textTree,
})

/** Most keys of one report, most stored texts in total, and most of users who are not logged in. */
export const missingLimits = { call: 50, all: 2000, anonymous: 100 } as const

/** Reports texts that a console is missing: key → the fallback that was shown (R296). */
export const addMissingTexts = defineAction({
  name: 'addMissingTexts',
  area: 'platform',
  method: 'POST',
  paths: ['/locales/add/{language}/{namespace}'],
  permission: 'public',
  perMinute: 120,
  params: z.object({ language, namespace }),
  query: z.looseObject({}),
  body: z
    .record(textKey, z.string().max(textLimits.text))
    .refine(texts => Object.keys(texts).length <= missingLimits.call, {
      error: checkFault('field.too_many_at_once'),
      params: { values: { max: missingLimits.call } },
    }),
  response: z.object({ ok: z.literal(true) }),
})

const missingText = z.object({
  language,
  namespace,
  key: z.string(),
  fallback: z.string(),
  seen: z.int(),
  first_seen: instant,
  last_seen: instant,
})

export const listMissingTexts = defineAction({
  name: 'listMissingTexts',
  area: 'platform',
  paths: ['/translation:missing'],
  permission: 'Translation:get',
  superadminOnly: true,
  query: z.looseObject({}),
  response: z.object({ data: z.array(missingText), included: z.array(z.unknown()), pagination }),
})

/** Deletes a reported key in all languages, or without `key` all of them. */
export const forgetMissingTexts = defineAction({
  name: 'forgetMissingTexts',
  area: 'platform',
  method: 'DELETE',
  paths: ['/translation:missing'],
  permission: 'Translation:delete',
  superadminOnly: true,
  query: z.object({ key: textKey.optional() }),
  response: z.object({ ok: z.literal(true) }),
})
