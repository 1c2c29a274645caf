import { describe, expect, it } from 'vitest'
import { fileFault } from './file-check.ts'

const rules = { accept: ['.csv', '.csv.gz'], maxSize: 1000 }

describe('fileFault', () => {
  it('looks at the ending, whatever its case', () => {
    expect(fileFault({ name: 'LIST.CSV', size: 10 }, rules)).toBeNull()
    expect(fileFault({ name: 'list.csv.gz', size: 10 }, rules)).toBeNull()
    expect(fileFault({ name: 'list.csv.exe', size: 10 }, rules)).toBe('wrong_type')
    expect(fileFault({ name: 'anything', size: 10 }, { ...rules, accept: [] })).toBeNull()
  })

  it('lets files up to the limit through', () => {
    expect(fileFault({ name: 'a.csv', size: 1000 }, rules)).toBeNull()
    expect(fileFault({ name: 'a.csv', size: 1001 }, rules)).toBe('too_large')
  })
})
