import { describe, expect, it } from 'vitest'
import { findUnknownNames, type KnownNames, shownValues } from './check-variables.ts'
import { liquidEngine } from './liquid-engine.ts'
import { placeOf } from './template-error.ts'

const engine = liquidEngine('html', { language: 'en', timeZone: 'UTC' })
const known: KnownNames = {
  member: ['firstname', 'lastname', 'email', 'birthday'],
  campaign: ['id', 'name'],
  client: ['name', 'imprint'],
}

function unknown(source: string, names: KnownNames = known): string[] {
  return findUnknownNames(engine.liquid.parse(source), names).map(one => {
    const { line, column } = placeOf(source, one.offset)
    return `${line}:${column} ${one.fault.message}`
  })
}

describe('findUnknownNames', () => {
  it('accepts columns, campaign and client fields, and links', () => {
    expect(
      unknown('{{ member.firstname }}{% if client.name == campaign.name %}{{ link.unsubscribe }}{% endif %}'),
    ).toEqual([])
  })

  it('reports an unknown column with the most similar name', () => {
    expect(unknown('a\n  {{ member.fistname }}')).toEqual([
      '2:6 member.fistname is not a column of the datasource. Did you mean member.firstname?',
    ])
    expect(unknown('{{ member.shoe_size }}')).toEqual([
      '1:4 member.shoe_size is not a column of the datasource.',
    ])
    expect(unknown('{{ member.First_Name }}')[0]).toContain('Did you mean member.firstname?')
  })

  it('also warns if there is a default, which would hide the typo for all recipients', () => {
    expect(unknown('{{ member.fistname | default: "friend" }}')).toHaveLength(1)
  })

  it('checks conditions, loops and filters, and reports each name once', () => {
    expect(
      unknown(
        '{% if member.a1 > 3 %}{{ member.email | append: member.b1 }}{% endif %}{{ member.a1 }}{% for x in member.c1 %}{{ x.y }}{{ forloop.index }}{% endfor %}',
      ),
    ).toEqual([
      '1:7 member.a1 is not a column of the datasource.',
      '1:49 member.b1 is not a column of the datasource.',
      '1:99 member.c1 is not a column of the datasource.',
    ])
  })

  it('accepts variables of the template itself', () => {
    expect(
      unknown(
        '{% assign greeting = member.firstname %}{{ greeting }}{% capture x %}a{% endcapture %}{{ x }}',
      ),
    ).toEqual([])
  })

  it('suggests a root for names without one', () => {
    expect(unknown('{{ firstname }}')[0]).toMatch(
      /^1:4 firstname is not known\. .* Did you mean member\.firstname\?$/,
    )
    expect(unknown('{{ FIRST_NAME }}')[0]).toMatch(/Did you mean member\.firstname\?$/)
    expect(unknown('{{ unsubscribe }}')[0]).toMatch(/Did you mean link\.unsubscribe\?$/)
    expect(unknown('{{ membr.email }}')[0]).toMatch(/Did you mean member\.email\?$/)
    expect(unknown('{{ link.unsubscripe }}')[0]).toBe(
      '1:4 link.unsubscripe is no link of a mail. Did you mean link.unsubscribe?',
    )
    expect(unknown('{{ member }}')[0]).toBe('1:4 member alone shows nothing. Write member.NAME.')
  })

  it('accepts any name if the names are not available', () => {
    expect(unknown('{{ data.anything.goes }}{{ client.x }}', { member: [] })).toEqual([])
    expect(unknown('{{ data.total }}', { member: [], data: ['totals'] })[0]).toContain(
      'Did you mean data.totals?',
    )
  })
})

describe('shownValues', () => {
  it('lists outputs and whether they have a default', () => {
    const templates = engine.liquid.parse(
      '{{ member.a }}{{ member.b | upcase | default: "x" }}{% if member.c %}{{ member.a | default: "y" }}{% endif %}{{ data.x.y }}',
    )
    expect(shownValues(templates)).toEqual([
      { root: 'member', name: 'a', hasDefault: false },
      { root: 'member', name: 'b', hasDefault: true },
    ])
  })
})
