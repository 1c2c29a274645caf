import { describe, expect, it } from 'vitest'
import { checkingEngine, filterNames, type Kind, liquidEngine } from './liquid-engine.ts'

const utc = { language: 'en', timeZone: 'UTC' }

describe('liquidEngine', () => {
  it.each<Kind>(['html', 'text', 'line', 'url'])('%s supports exactly the allowed tags and filters', kind => {
    const engine = liquidEngine(kind, utc)
    expect(Object.keys(engine.liquid.tags).toSorted((a, b) => a.localeCompare(b))).toEqual([
      '#',
      'assign',
      'break',
      'capture',
      'case',
      'comment',
      'continue',
      'cycle',
      'echo',
      'for',
      'if',
      'raw',
      'tablerow',
      'unless',
    ])
    for (const filter of [
      'json',
      'jsonify',
      'inspect',
      'group_by',
      'where_exp',
      'find_exp',
      'base64_encode',
      'sha256',
      'xml_escape',
      'to_integer',
    ]) {
      expect(filterNames(engine)).not.toContain(filter)
    }
  })

  it('is cached per kind, language and time zone', () => {
    expect(liquidEngine('html', utc)).toBe(liquidEngine('html', { ...utc }))
    expect(liquidEngine('html', utc)).not.toBe(liquidEngine('text', utc))
    expect(liquidEngine('html', utc)).not.toBe(liquidEngine('html', { ...utc, language: 'de' }))
  })

  it('collects faults only if requested', () => {
    const source = '{% a %}{% b %}'
    expect(() => checkingEngine('html', true).liquid.parse(source)).toThrow(/2 errors found/)
    expect(() => checkingEngine('html', false).liquid.parse(source)).toThrow(/tag "a" not found/)
  })
})
