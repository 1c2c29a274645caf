import { assert, constantFrom, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assertFields,
  isEmailAddress,
  isNumberText,
  percentOf,
  readCheckbox,
  readDecimals,
  readForm,
  readId,
  readNumber,
  readPattern,
  roundTo,
  writeNumber,
} from './form-reading.ts'

describe('R278 readNumber', () => {
  it.each([
    ['1.234,5', 1234.5],
    ['1,234.5', 1234.5],
    ['1 234,5', 1234.5],
    ["1'234.5", 1234.5],
    ['1.234.567', 1_234_567],
    ['1,234,567', 1_234_567],
    ['1.234.567,89', 1_234_567.89],
    ['-12,5', -12.5],
    ['+3', 3],
    ['0,125', 0.125],
    ['0.125', 0.125],
    ['1234.567', 1234.567],
    ['12,', 12],
    ['.5', 0.5],
  ])('reads %s in every language', (text, number) => {
    for (const language of ['en', 'de', 'es']) expect(readNumber(text, language)).toBe(number)
  })

  it('reads one separator before three digits according to the language (T20)', () => {
    expect(readNumber('1.234', 'de')).toBe(1234)
    expect(readNumber('1.234', 'es-ES')).toBe(1234)
    expect(readNumber('1.234', 'en-US')).toBe(1.234)
    expect(readNumber('1,234', 'de')).toBe(1.234)
    expect(readNumber('1,234', 'en')).toBe(1234)
  })

  it('reads empty text as null', () => {
    expect(readNumber('', 'en')).toBeNull()
    expect(readNumber('   ', 'de')).toBeNull()
  })

  it.each(['abc', '1.23.4', '1,2,3', '--5', '1e5', '12a', '1.234,5,6', '.', `1${'0'.repeat(400)}`])(
    'reads invalid text %s as 0',
    text => {
      expect(readNumber(text, 'de')).toBe(0)
      expect(isNumberText(text, 'de')).toBe(false)
    },
  )

  it('parses what it formats', () => {
    assert(
      property(
        integer({ min: -(10 ** 12), max: 10 ** 12 }),
        constantFrom('en', 'de', 'es'),
        (thousandths, language) => {
          const value = thousandths / 1000
          expect(readNumber(writeNumber(value, language, 3), language)).toBe(value)
        },
      ),
    )
  })
})

describe('R279 R280 decimals and percent', () => {
  it('uses two decimals by default, ten at most', () => {
    expect([readDecimals(), readDecimals(4), readDecimals(25), readDecimals(-1)]).toEqual([2, 4, 10, 0])
    expect(readDecimals(Number.NaN)).toBe(2)
  })

  it('rounds halves away from zero', () => {
    expect(roundTo(1.005)).toBe(1.01)
    expect(roundTo(-1.005)).toBe(-1.01)
    expect(roundTo(2.5, 0)).toBe(3)
  })

  it('is never negative and never NaN', () => {
    expect(percentOf(1, 4)).toBe(25)
    expect([percentOf(0, 0), percentOf(5, 0), percentOf(-5, 10)]).toEqual([0, 0, 0])
  })
})

describe('R278 readForm', () => {
  it('reads ids, checkboxes and numbers', () => {
    const values = readForm(
      {
        domain_id: '57',
        list_id: '',
        esp_id: 'x',
        active: 'on',
        off: undefined,
        throttle: '1.500',
        name: 'A',
      },
      { active: 'checkbox', off: 'checkbox', throttle: 'number' },
      'de',
    )
    expect(values).toEqual({ domain_id: 57, active: true, off: false, throttle: 1500, name: 'A' })
  })

  it('reads single inputs', () => {
    expect(readId('12')).toBe(12)
    expect(readId(null)).toBeUndefined()
    expect([readCheckbox('on'), readCheckbox(''), readCheckbox(false)]).toEqual([true, false, false])
  })

  it('names field and pattern of a mismatch', () => {
    expect(readPattern('selector', 'a1', /^[a-z0-9]+$/)).toBe('a1')
    expect(() => readPattern('selector', 'ä', /^[a-z]+$/)).toThrow('Invalid selector: ^[a-z]+$')
  })
})

describe('R277 assertFields', () => {
  it('names the first missing field', () => {
    expect(() => assertFields({ client_id: 1, name: null })).not.toThrow()
    expect(() => assertFields({ client_id: 1, domain: undefined })).toThrow('No domain found!')
  })
})

describe('R273 isEmailAddress', () => {
  it.each(['a@b.de', 'first.last+tag@mail.example.com', 'jörg@müller.de', `${'a'.repeat(64)}@b.de`])(
    'accepts %s',
    address => expect(isEmailAddress(address)).toBe(true),
  )

  it.each([
    '',
    'a',
    '@b.de',
    'a@',
    'a@b',
    'a b@c.de',
    'a@b@c.de',
    'a@-b.de',
    'a@b..de',
    `${'a'.repeat(65)}@b.de`,
    `a@${'b'.repeat(64)}.de`,
    `a@${'b.'.repeat(127)}de`,
    `a@${'ü'.repeat(60)}.de`,
  ])('rejects %s', address => expect(isEmailAddress(address)).toBe(false))
})
