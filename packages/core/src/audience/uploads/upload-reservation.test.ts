import { expect, it } from 'vitest'
import { isDiskLow } from './upload-reservation.ts'

const GB = 1024 ** 3

it('upload reservation: keeps 10 % of the disk free, at most 10 GB', () => {
  expect(isDiskLow(3 * GB, 40 * GB)).toBe(true)
  expect(isDiskLow(5 * GB, 40 * GB)).toBe(false)
  expect(isDiskLow(9 * GB, 4000 * GB)).toBe(true)
  expect(isDiskLow(11 * GB, 4000 * GB)).toBe(false)
})
