import { addressFaults } from '@emma/contract/address-faults.ts'
import { cellFaults } from '@emma/contract/cell-faults.ts'
import { fault } from '@emma/contract/faults.ts'
import { describe, expect, test } from 'vitest'
import { rowFaultText, rowTexts } from './row-texts.ts'

describe.each(['en', 'de', 'es'] as const)('error file in %s', language => {
  test('has a text for every fault of a row and of an address', () => {
    const { cell_faults: cells, address_faults: addresses } = rowTexts[language]
    expect(Object.keys(cells)).toEqual(Object.keys(cellFaults))
    expect(Object.keys(addresses)).toEqual(Object.keys(addressFaults))
  })
})

test('error file: a fault is told in the language, with its values', () => {
  expect(rowFaultText(fault('cell.cells', { cells: 3, width: 4 }), 'de')).toBe('hat 3 statt 4 Zellen')
  const long = fault('cell.too_long', { max: 255 })
  expect(rowFaultText(fault('cell.shortened', { fault: long }), 'es')).toBe(
    'tiene más de 255 caracteres: importada con esta celda acortada',
  )
  expect(rowFaultText(fault('address.no-at'), 'de')).toBe('Die E-Mail-Adresse hat kein @.')
})

test('error file: a fault of another kind is told as it came', () => {
  expect(rowFaultText(fault('field.required'), 'de')).toBe('is required')
})
