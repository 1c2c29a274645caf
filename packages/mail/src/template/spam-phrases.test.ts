import { expect, test } from 'vitest'
import { findSpamPhrases, isInCapitals, repeatedMarks } from './spam-phrases.ts'

test.each([
  ['Our coffee is 100% guaranteed', ['100% guaranteed']],
  ['100 % garantiert!', ['100 % garantiert']],
  ['Calidad 100 % garantizada', ['100 % garantizada']],
  ['Dear  friend,\nyou have WON a prize', ['Dear friend', 'you have WON']],
  ['Kredit ohne Schufa', ['ohne Schufa']],
  ['Dinero fácil desde casa', ['Dinero fácil']],
])('phrases of spam are found: %s', (text, expected) => {
  expect(findSpamPhrases(text)).toEqual(expected)
})

test.each([
  'Free shipping until Sunday, with 14 days to return',
  'Kostenloser Versand bis Sonntag: nur solange der Vorrat reicht',
  'Envío gratis hasta el domingo, oferta solo para ti',
  'The specialist of specialists: guaranteed by two years of warranty',
  'Wir haben gewonnen: der Preis für den besten Kaffee',
])('words of legitimate mail are none: %s', text => {
  expect(findSpamPhrases(text)).toEqual([])
})

test('a finding names five phrases at most', () => {
  const all = 'dear friend, you have won viagra, easy money, bad credit, financial freedom, lose weight '
  expect(findSpamPhrases(all)).toHaveLength(5)
})

test('a subject in capitals is found, names and placeholders are not', () => {
  expect(isInCapitals('ONLY TODAY: SAVE NOW')).toBe(true)
  expect(isInCapitals('NUR HEUTE FÜR SIE {{ member.firstname }}')).toBe(true)
  expect(isInCapitals('{{ member.firstname }}, SALE')).toBe(false)
  expect(isInCapitals('IKEA NEWS')).toBe(false)
  expect(isInCapitals('Save NOW with NASA, ESA and CERN')).toBe(false)
  expect(isInCapitals('新しいコーヒー')).toBe(false)
})

test('repeated marks of a subject are found', () => {
  expect(repeatedMarks('Save now!!!')).toBe('!!!')
  expect(repeatedMarks('Only today?!')).toBe('?!')
  expect(repeatedMarks('$$$ for you')).toBe('$$$')
  expect(repeatedMarks('¡Hola! ¿Qué tal?')).toBeNull()
  expect(repeatedMarks('{{ member.name | default: "!!" }} Save now!')).toBeNull()
})
