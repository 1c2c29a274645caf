import { expect, test } from 'vitest'
import { translateUploadFault } from './upload-faults.ts'

test('texts are parsed with their values and translated', () => {
  expect(translateUploadFault('has 3 cells instead of 4', 'de')).toBe('hat 3 statt 4 Zellen')
  expect(translateUploadFault('is longer than 255 characters: imported with this cell shortened', 'es')).toBe(
    'tiene más de 255 caracteres: importada con esta celda acortada',
  )
  expect(
    translateUploadFault(
      'With a comma as delimiter the file has a single column; it is separated by a semicolon.',
      'de',
    ),
  ).toBe('Mit dem Trennzeichen Komma hat die Datei eine einzige Spalte; getrennt wird durch Semikolon.')
  expect(translateUploadFault('something else', 'de')).toBeNull()
})
