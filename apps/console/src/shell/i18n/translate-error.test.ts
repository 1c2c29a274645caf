import { ApiError, type ApiErrorCode } from '@emma/client/api-error.ts'
import { campaignFaults, readFaults } from '@emma/contract/campaign-faults.ts'
import { contentFaults, readContentFault } from '@emma/contract/content-faults.ts'
import type { FieldError } from '@emma/contract/errors.ts'
import i18next, { changeLanguage, init, t } from 'i18next'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { readTexts } from '../../../emit-texts.ts'
import { errorText, setServerErrorTexts } from './error-text.ts'
import { translateContentFault, translateError, translateFault, translateReason } from './translate-error.ts'

vi.mock('@emma/ui/feedback/notify.tsx', () => ({ notify: {} }))

beforeAll(async () => {
  setServerErrorTexts({ refusal: translateError, fault: translateFault })
  await init({
    lng: 'en',
    interpolation: { escapeValue: false },
    resources: {
      en: { translation: readTexts('en') },
      de: { translation: readTexts('de') },
      es: { translation: readTexts('es') },
    },
  })
})

function refusal(message: string, code: ApiErrorCode = 'invalid', fields: FieldError[] = []): ApiError {
  return new ApiError(message, { status: 422, code, url: '/', fields })
}

describe.each(['en', 'de', 'es'])('in %s', language => {
  beforeAll(() => changeLanguage(language))

  test.each([
    ['Domain is already being setup.', 'domain_in_setup'],
    ['Faulty X-Revision value provided', 'faulty_revision'],
    ['SQLSTATE[08006]: Connection failure', 'sql_connection'],
    ['SQLSTATE[HY000]: General error', 'sql_connection'],
    ['Expired token', 'token_expired'],
  ])('R316 “%s” is told in the language', (message, key) => {
    const text = errorText(refusal(message))
    expect(text).toBe(i18next.getResource(language, 'translation', `errors.${key}`))
    expect(text).not.toBe(message)
  })

  test('R316 why a campaign waits is told in the language, with what its next hop said', () => {
    const text = translateReason(
      'The next hop of the mail class takes no mail; it is asked again and again. 421 4.3.2 <busy>',
    )
    expect(text).toContain(t('reasons.next_hop', { reply: '421 4.3.2 <busy>' }))
    expect(text).toContain('421 4.3.2 <busy>')
    expect(text).not.toContain('next hop')
    expect(translateReason('The moon is in the way')).toBe('The moon is in the way')
  })

  test.each(Object.entries(campaignFaults))(
    'R316 the fault %s of a campaign is told in the language',
    (code, sentence) => {
      const stored = sentence.replaceAll(/\{(\w+)\}/g, 'the $1')
      const text = translateReason(stored)
      expect(readFaults(stored)).toMatchObject([{ code }])
      expect(text).not.toContain('{{')
      if (language !== 'en') expect(text).not.toBe(stored)
      for (const [value] of stored.matchAll(/the (?:domain|host|header|selector|reply|time|faults?)\b/g))
        if (sentence.includes(`{${value.slice(4)}}`)) expect(text).toContain(value)
    },
  )

  test('R316 each fault of the content is told by its part, line and column', () => {
    const text = translateReason('subject, line 1, column 2: one\nhtml, line 3, column 4: two')
    const [first = '', second = ''] = text.split('\n')
    expect(first).toBe(
      t('reasons.content', { part: t('reasons.parts.subject'), line: 1, column: 2, fault: 'one' }),
    )
    expect(second).toContain(t('reasons.parts.html'))
  })

  test.each(Object.entries(contentFaults))(
    'R316 the fault %s of a content is told in the language',
    (code, sentence) => {
      const stored = sentence.replaceAll(/\{(\w+)\}/g, '‹$1›')
      const text = translateContentFault(stored)
      expect(readContentFault(stored)).toMatchObject({ code })
      if (language !== 'en') expect(text).not.toBe(stored)
      for (const [value] of stored.matchAll(/‹\w+›/g)) expect(text).toContain(value)
    },
  )

  test('R316 a fault in a fault is told in the language, too', () => {
    const unknown = t('content_faults.filter_unknown', { name: 'uper' })
    const near = t('content_faults.near', { fault: unknown, near: '"upcase"' })
    const text = 'There is no filter called "uper". Did you mean "upcase"?'
    expect(translateContentFault(text)).toBe(near)
    const place = { part: t('reasons.parts.html'), line: 3, column: 4 }
    expect(translateReason(`html, line 3, column 4: ${text}`)).toBe(
      t('reasons.content', { ...place, fault: near }),
    )
    expect(translateContentFault('The moon is in the way')).toBe('The moon is in the way')
  })

  test('R316 a unique violation names key and value', () => {
    const text = errorText(refusal('SQLSTATE[23505]: Unique violation: Key (name)=(News) already exists.'))
    expect(text).toContain('name')
    expect(text).toContain('News')
    expect(text).not.toContain('SQLSTATE')
  })

  test('R316 what nobody knows is shown as it came, nothing as the generic message', () => {
    expect(errorText(refusal('The moon is in the way'))).toBe('The moon is in the way')
    expect(errorText(refusal(' '))).toBe(t('errors.generic_message'))
  })
})

test('R316 faulty fields are told in the language of the person', async () => {
  await changeLanguage('de')
  const fields = [
    { field: 'name', message: 'Too big: expected string to have <=255 characters' },
    { field: 'email', message: 'is not an e-mail address' },
  ]
  expect(errorText(refusal('name: Too big …; email: …', 'invalid', fields))).toBe(
    'name: Höchstens 255 Zeichen.; email: Das ist keine E-Mail-Adresse.',
  )
  expect(translateFault('must be number, not string')).toBe('Bitte geben Sie eine Zahl ein.')
  expect(translateFault('Invalid option: expected one of "a"|"b"')).toBe(
    'Bitte wählen Sie einen der angebotenen Werte.',
  )
  expect(translateFault('is something new')).toBe('is something new')
})

test('R316 refusals keep the names they carry', async () => {
  await changeLanguage('es')
  expect(translateError(refusal('Still in use by campaign "Abril"', 'in_use'))).toBe(
    'Todavía lo usan: campaign "Abril".',
  )
  expect(translateError(refusal('Still in use by the running import or undo of "abril.csv"', 'in_use'))).toBe(
    'La importación de "abril.csv" está en curso o se está deshaciendo. Espere a que termine.',
  )
  expect(translateError(new Error('Still in use'))).toBeNull()
})
