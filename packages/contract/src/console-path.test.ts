import { expect, test } from 'vitest'
import { isConsolePath } from './console-path.ts'

test.each(['/', '/dashboard', '/subscribers/archive?table=1&q=//x', '/a//b', '/%5Cevil.example'])(
  '%j is a path of the console',
  path => expect(isConsolePath(path)).toBe(true),
)

test.each([
  '',
  'dashboard',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n\\evil.example',
  'javascript:alert(1)',
])('%j is not a path of the console', path => expect(isConsolePath(path)).toBe(false))
