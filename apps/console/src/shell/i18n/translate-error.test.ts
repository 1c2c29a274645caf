import { ApiError, type ApiErrorCode } from '@emma/client/api-error.ts'
import type { FieldError } from '@emma/contract/errors.ts'
import i18next, { changeLanguage, init, t } from 'i18next'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { readTexts } from '../../../emit-texts.ts'
import { errorText, setServerErrorTexts } from './error-text.ts'
import { translateError, translateFault } from './translate-error.ts'

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
  ])('R316 “%s” is translated', (message, key) => {
    const text = errorText(refusal(message))
    expect(text).toBe(i18next.getResource(language, 'translation', `errors.${key}`))
    expect(text).not.toBe(message)
  })

  test('R316 a unique violation names key and value', () => {
    const text = errorText(refusal('SQLSTATE[23505]: Unique violation: Key (name)=(News) already exists.'))
    expect(text).toContain('name')
    expect(text).toContain('News')
    expect(text).not.toContain('SQLSTATE')
  })

  test('R316 an unknown error shows its message, an empty one the generic message', () => {
    expect(errorText(refusal('The moon is in the way'))).toBe('The moon is in the way')
    expect(errorText(refusal(' '))).toBe(t('errors.generic_message'))
  })
})

test('R316 field errors are translated', async () => {
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

test('R316 translated errors keep the names in them', async () => {
  await changeLanguage('es')
  expect(translateError(refusal('Still in use by campaign "Abril"', 'in_use'))).toBe(
    'Todavía lo usan: campaign "Abril".',
  )
  expect(translateError(refusal('Still in use by the running import or undo of "abril.csv"', 'in_use'))).toBe(
    'La importación de "abril.csv" está en curso o se está deshaciendo. Espere a que termine.',
  )
  expect(translateError(new Error('Still in use'))).toBeNull()
})
