import { describe, expect, it } from 'vitest'
import { brokenRule, findCycles, ownStatement } from './import-rules.ts'

describe('import rules', () => {
  it.each([
    ['packages/core/src/a/b.ts', 'fastify', null, /HTTP/],
    ['packages/contract/src/a.ts', 'pg', null, /zod alone/],
    ['packages/mail/src/a.ts', '@emma/db/connection.ts', null, /must not import db/],
    ['packages/core/src/a.ts', '@emma/delivery/engine/engine.ts', null, /must not import delivery/],
    ['packages/ui/src/a.tsx', '@emma/core/x.ts', null, /must not import core/],
    ['apps/console/src/app.tsx', '@emma/db/connection.ts', null, /must not import db/],
    ['apps/console/src/app.tsx', '@emma/mail/smtp/client.ts', null, /editing of templates/],
    ['apps/server/src/a.ts', '@emma/core', null, /barrels/],
    ['apps/server/src/a.ts', 'kysely', null, /no SQL/],
    [
      'apps/console/src/features/a/x.tsx',
      '../b/y.tsx',
      'apps/console/src/features/b/y.tsx',
      /another feature/,
    ],
    [
      'packages/delivery/src/2-claim/x.ts',
      '../5-record/y.ts',
      'packages/delivery/src/5-record/y.ts',
      /stages/,
    ],
    ['packages/core/src/a.ts', '../../db/src/x.ts', 'packages/db/src/x.ts', /by their name/],
  ])('%s must not import %s', (from, specifier, target, words) => {
    expect(brokenRule({ from, specifier, target })).toMatch(words)
  })

  it.each([
    ['packages/core/src/a.ts', '@emma/db/connection.ts', null],
    ['packages/core/src/a.ts', 'kysely', null],
    ['packages/delivery/src/1-expand/a.ts', '@emma/core/audience/eligibility.ts', null],
    ['apps/console/src/features/a/x.tsx', '@emma/ui/list/list-screen.tsx', null],
    ['packages/contract/src/a.test.ts', 'fast-check', null],
    ['apps/server/src/a.it.test.ts', 'kysely', null],
  ])('%s may import %s', (from, specifier, target) => {
    expect(brokenRule({ from, specifier, target })).toBeNull()
  })

  it('the server has no SQL of its own', () => {
    const source = "await db.updateTable('campaign').set({ valid: 2 }).execute()"
    expect(ownStatement('apps/server/src/jobs/a.ts', source)).toBe('updateTable')
    expect(ownStatement('apps/server/src/jobs/a.it.test.ts', source)).toBeNull()
    expect(ownStatement('packages/core/src/a.ts', source)).toBeNull()
  })

  it('finds a cycle, also through a type import, but not through a lazy import', () => {
    const chain = [
      { from: 'a.ts', target: 'b.ts', isStatic: true },
      { from: 'b.ts', target: 'c.ts', isStatic: true },
    ]
    expect(findCycles(chain)).toEqual([])
    expect(findCycles([...chain, { from: 'c.ts', target: 'a.ts', isStatic: true }])).toEqual([
      'import cycle: a.ts → b.ts → c.ts → a.ts',
    ])
    expect(findCycles([...chain, { from: 'c.ts', target: 'a.ts', isStatic: false }])).toEqual([])
  })
})
