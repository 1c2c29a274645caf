import { describe, expect, it } from 'vitest'
import { liquidEngine } from './liquid-engine.ts'
import { templateNames } from './template-names.ts'

const engine = liquidEngine('html', { language: 'en', timeZone: 'UTC' })

function names(source: string) {
  const { globals, locals, localUses } = templateNames(engine.liquid.parse(source))
  return {
    globals: globals.map(({ path, offset }) => `${offset} ${path.join('.')}`),
    locals: [...locals],
    localUses: [...localUses],
  }
}

describe('templateNames', () => {
  it('finds names in outputs, filters, conditions, loops and brackets', () => {
    expect(
      names(
        '{{ a.b | append: c.d, x: e }}{% if f > 3 and "g" == h["i"].j %}{{ k[l.m].n }}{% elsif o %}{% endif %}{% for p in (1..q) %}{% endfor %}',
      ).globals,
    ).toEqual(['3 a.b', '17 c.d', '25 e', '35 f', '52 h.i.j', '86 o', '68 l.m', '66 k', '117 q'])
  })

  it('ignores names of loops and names that the template assigns', () => {
    expect(
      names(
        '{{ item }}{% for item in data.list %}{{ item.x }}{{ forloop.index }}{{ other }}{% endfor %}{% assign a = b %}{% if x %}{% capture c %}{{ a }}{% endcapture %}{% endif %}',
      ),
    ).toEqual({
      globals: ['3 item', '25 data.list', '71 other', '105 b', '115 x'],
      locals: ['a', 'c'],
      localUses: ['a'],
    })
  })

  it('agrees with the analysis of liquidjs', () => {
    const source =
      '{% assign a = member.x | default: client.y %}{% case a %}{% when "1", data.z %}{{ campaign.name }}{% endcase %}{% tablerow t in data.rows %}{{ t }}{% endtablerow %}{% unless q.r %}{% endunless %}{% echo s %}'
    const { globals } = engine.liquid.analyzeSync(engine.liquid.parse(source))
    const theirs = Object.values(globals).flat().map(String)
    expect(new Set(names(source).globals.map(use => use.split(' ')[1]))).toEqual(new Set(theirs))
  })
})
