import { type Fault, type FaultValue, filled } from '@emma/contract/faults.ts'
import type { TextLanguage } from '@emma/contract/resources/translation.ts'
import de from '@emma/contract/texts/de.json' with { type: 'json' }
import en from '@emma/contract/texts/en.json' with { type: 'json' }
import es from '@emma/contract/texts/es.json' with { type: 'json' }

type RowTexts = typeof en

/** Texts of an error file. */
export const rowTexts: Readonly<Record<TextLanguage, RowTexts>> = { en, de, es }

/** Text of a row or cell fault in a language; the English message if the code has no text. */
export function rowFaultText({ code, values = {}, message }: Fault, language: TextLanguage): string {
  const [area = '', name = ''] = code.split('.')
  const { cell_faults: cells, address_faults: addresses } = rowTexts[language]
  const groups: Record<string, Readonly<Record<string, string>>> = { cell: cells, address: addresses }
  const text = groups[area]?.[name]
  if (text === undefined) return message
  const words = Object.entries(values).map(([key, value]): [string, FaultValue] => [
    key,
    isFault(value) ? rowFaultText(value, language) : value,
  ])
  return filled(text.replaceAll(/\{\{(\w+)\}\}/g, '{$1}'), Object.fromEntries(words))
}

function isFault(value: FaultValue): value is Fault {
  return typeof value === 'object' && 'message' in value
}
