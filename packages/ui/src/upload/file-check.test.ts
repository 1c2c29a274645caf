import { describe, expect, it } from 'vitest'
import { fileFault } from './file-check.ts'

const rules = { accept: ['.csv', '.csv.gz'], maxSize: 1000 }

describe('fileFault', () => {
  it('checks the extension case-insensitively', () => {
    expect(fileFault({ name: 'LIST.CSV', size: 10 }, rules)).toBeNull()
    expect(fileFault({ name: 'list.csv.gz', size: 10 }, rules)).toBeNull()
    expect(fileFault({ name: 'list.csv.exe', size: 10 }, rules)).toBe('wrong_type')
    expect(fileFault({ name: 'anything', size: 10 }, { ...rules, accept: [] })).toBeNull()
  })

  it('accepts files up to the limit', () => {
    expect(fileFault({ name: 'a.csv', size: 1000 }, rules)).toBeNull()
    expect(fileFault({ name: 'a.csv', size: 1001 }, rules)).toBe('too_large')
  })
})
