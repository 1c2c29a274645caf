import { describe, expect, it } from 'vitest'
import { csvLine } from './csv.ts'

describe('csvLine', () => {
  it('quotes cells with delimiters, quotes and line breaks', () => {
    expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', null, 3, true], ',')).toBe(
      'a,"b,c","say ""hi""","two\nlines",,3,true',
    )
    expect(csvLine(['b,c', 'd;e'], ';')).toBe('b,c;"d;e"')
  })

  it('escapes formulas, but not numbers', () => {
    expect(csvLine(['=HYPERLINK("x")', '+49 30', '@cmd', '-1.5', '-1+2'], ',')).toBe(
      `"'=HYPERLINK(""x"")",'+49 30,'@cmd,-1.5,'-1+2`,
    )
  })
})
