import { z } from 'zod'
import { commonFields } from '../resource-schemas.ts'
import { line, text } from '../fields.ts'
import type { CodeOf, FaultValues } from '../faults.ts'
import { checkFault, faultOfIssue } from '../schema-faults.ts'

/** Languages of the console (R007), and the namespace of its texts (R293). */
export const textLanguages = ['en', 'de', 'es'] as const
export const textNamespaces = ['translation'] as const

export type TextLanguage = (typeof textLanguages)[number]

/** Texts by key, nested to any depth. In a change, null restores the shipped text. */
export interface TextTree {
  [key: string]: string | null | TextTree
}

/** Most levels, keys and characters per text of a language: far more than the console needs. */
export const textLimits = { depth: 8, keys: 20_000, text: 4000 } as const

const keyPart = /^[\w-]{1,100}$/
const reserved = new Set(['__proto__', 'constructor', 'prototype'])

/** A key in i18next's format: words joined by dots. */
export const textKey = z.string().max(300).refine(isTextKey, checkFault('field.text_key'))

/** Edited texts. Every fault is reported with its key. */
export const textTree = z.custom<TextTree>().superRefine((value, context) => {
  let keys = 0
  const visit = (node: unknown, path: string[]): void => {
    const refuse = (code: CodeOf<'field'>, values?: FaultValues) =>
      context.addIssue({ code: 'custom', message: checkFault(code), params: { values }, path })
    if (node === null && path.length > 0) return
    if (typeof node === 'string') {
      const found = path.length > 0 ? text(textLimits.text).safeParse(node) : null
      if (found?.success) return
      const [issue] = found?.error.issues ?? []
      const fault = issue && faultOfIssue(issue)
      return refuse(fault?.code ?? 'field.text_tree', fault?.values)
    }
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return refuse('field.text')
    if (path.length >= textLimits.depth) return refuse('field.too_deep')
    for (const [key, child] of Object.entries(node)) {
      keys += 1
      if (keys > textLimits.keys) return
      if (isTextKey(key) && !key.includes('.')) visit(child, [...path, key])
      else
        context.addIssue({ code: 'custom', message: checkFault('field.no_text_key'), path: [...path, key] })
    }
  }
  visit(value, [])
  if (keys > textLimits.keys)
    context.addIssue({ code: 'custom', message: checkFault('field.too_many_texts'), path: [] })
})

function isTextKey(key: string): boolean {
  return key.split('.').every(part => keyPart.test(part) && !reserved.has(part))
}

/** Display name of the language. */
export const languageLabel = line(60).trim().min(1, checkFault('field.empty'))

/** One language of the console (R294): all its texts, the shipped ones overridden by edits. */
export const translationRecord = z.looseObject({
  language: z.enum(textLanguages),
  localisation: z.custom<TextTree>(),
  label: z.string(),
  optional: z.boolean(),
  /** Keys whose text differs from the shipped one. */
  edited: z.array(z.string()),
  ...commonFields,
})

export type TranslationRecord = z.infer<typeof translationRecord>
