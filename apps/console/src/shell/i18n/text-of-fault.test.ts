import { type Fault, fault, faultTexts } from '@emma/contract/faults.ts'
import { mailFaults } from '@emma/contract/mail-faults.ts'
import i18next, { changeLanguage, init, t } from 'i18next'
import { beforeAll, describe, expect, test } from 'vitest'
import { readTexts } from '../../../emit-texts.ts'
import { textKey, textOfFault } from './text-of-fault.ts'

/** Every code of the contract with the names of its values. */
const codes: [string, readonly string[]][] = [
  ...Object.entries(faultTexts).flatMap(([area, texts]) => codesOf(area, texts)),
  ...Object.entries(mailFaults),
]

function codesOf(area: string, texts: Readonly<Record<string, string>>): [string, readonly string[]][] {
  return Object.entries(texts).map(([name, text]) => [`${area}.${name}`, namesIn(text, /\{(\w+)\}/g)])
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].toSorted()
}

beforeAll(async () => {
  const [en, de, es] = ['en', 'de', 'es'].map(readTexts)
  await init({
    lng: 'en',
    interpolation: { escapeValue: false },
    resources: {
      en: { translation: en ?? {} },
      de: { translation: de ?? {} },
      es: { translation: es ?? {} },
    },
  })
})

describe.each(['en', 'de', 'es'])('in %s', language => {
  beforeAll(() => changeLanguage(language))

  test.each(codes)('R316 %s has a text with exactly its values', (code, values) => {
    const text: unknown = i18next.getResource(language, 'translation', textKey(code) ?? '')
    expect(text).toEqual(expect.any(String))
    expect(namesIn(String(text), /\{\{(\w+)(?:, \w+)?\}\}/g)).toEqual([...values].toSorted())
  })

  test('R316 a fault among the values is translated, too', () => {
    const unknown = {
      code: 'content.filter_unknown',
      values: { name: 'uper' },
      message: 'There is …',
    } as const
    const near = { code: 'content.near', values: { fault: unknown, near: '"upcase"' }, message: '' } as const
    const text = t('content_faults.near', {
      fault: t('content_faults.filter_unknown', { name: 'uper' }),
      near: '"upcase"',
    })
    expect(textOfFault(near)).toBe(text)
    const placed = (part: string, line: number, inner: Fault) =>
      fault('campaign.content', { part, line, column: 4, fault: inner })
    const several = fault('campaign.contents', {
      faults: [placed('subject', 1, unknown), placed('html', 3, near)],
    })
    const [first = '', second = ''] = textOfFault(several).split('\n')
    expect(first).toContain(t('reasons.parts.subject'))
    expect(first).toContain(t('content_faults.filter_unknown', { name: 'uper' }))
    expect(second).toBe(
      t('reasons.content', { part: t('reasons.parts.html'), line: 3, column: 4, fault: text }),
    )
  })

  test('R316 a multi-line server reply is kept whole', () => {
    const reply = '421-4.3.2 <busy>\n421 4.3.2 come again'
    expect(textOfFault(fault('campaign.next_hop', { reply }))).toBe(t('reasons.next_hop', { reply }))
    expect(textOfFault(fault('campaign.next_hop', { reply }))).toContain(reply)
  })

  test('R316 a fault without a known code shows its message', () => {
    expect(textOfFault({ code: null, values: null, message: 'The moon is in the way' })).toBe(
      'The moon is in the way',
    )
    expect(textOfFault({ code: 'campaign.moon', values: {}, message: 'The moon is in the way' })).toBe(
      'The moon is in the way',
    )
  })
})
