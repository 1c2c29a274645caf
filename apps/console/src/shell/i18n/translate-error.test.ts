import { ApiError, type ApiErrorCode } from '@emma/client/api-error.ts'
import { type FieldError, fieldError } from '@emma/contract/errors.ts'
import { type Fault, fault } from '@emma/contract/faults.ts'
import i18next, { changeLanguage, init, t } from 'i18next'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { readTexts } from '../../../emit-texts.ts'
import { errorText } from './error-text.ts'
import { translateError } from './translate-error.ts'

vi.mock('@emma/ui/feedback/notify.tsx', () => ({ notify: {} }))

beforeAll(async () => {
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
    expect(errorText(refusal('The moon is in the way', 'unknown'))).toBe('The moon is in the way')
    expect(errorText(refusal(' '))).toBe(t('errors.generic_message'))
  })
})

test('R316 field errors are translated', async () => {
  await changeLanguage('de')
  const fields = [fieldError('name', 'field.too_long', { max: 255 }), fieldError('email', 'field.email')]
  expect(errorText(refusal('name: has more …; email: …', 'invalid', fields))).toBe(
    'name: Höchstens 255 Zeichen.; email: Das ist keine E-Mail-Adresse.',
  )
  const unknown = { field: 'name', code: 'field.moon', message: 'is something new' }
  const error = new ApiError('', { status: 422, code: 'invalid', url: '/', fields: [unknown] })
  expect(translateError(error)).toBe('name: is something new')
})

test('R316 translated errors keep the names in them', async () => {
  await changeLanguage('es')
  const told = (reason: Fault) =>
    translateError(new ApiError(reason.message, { status: 409, code: 'in_use', url: '/', fault: reason }))
  expect(told(fault('refusal.in_use', { names: 'campaign "Abril"' }))).toBe('Aún lo usan: campaign "Abril".')
  expect(told(fault('refusal.in_use_by_upload', { names: '"abril.csv"' }))).toBe(
    'La importación de "abril.csv" está en curso o se está deshaciendo. Espere a que termine.',
  )
  expect(translateError(new Error('Still in use'))).toBeNull()
})

test('R316 a refusal without a reason is told by the code of the error table', async () => {
  await changeLanguage('de')
  expect(translateError(refusal('Not possible in this state', 'wrong_state'))).toBe(
    'Das ist im Augenblick nicht möglich.',
  )
})

test('R316 the code of a fault decides, not its message', async () => {
  await changeLanguage('de')
  const { code, message } = fault('sign_in.several')
  const error = new ApiError(message, {
    status: 401,
    code: 'sign_in_failed',
    url: '/',
    fault: { code, message },
  })
  expect(errorText(error)).toBe(i18next.getResource('de', 'translation', 'sign_in_faults.several'))
})
