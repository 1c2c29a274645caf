import { expect, test } from 'vitest'
import { isInView } from './is-in-view.ts'

test.each([
  ['/campaigns/reports/7', '/campaigns/reports/7', true],
  ['/campaigns/reports/7', '/campaigns/monitoring/7', true],
  ['/recurring/edit/7?tab=runs', '/recurring/edit/7', true],
  ['/campaigns/start/7#comments', '/campaigns/start/7', true],
  ['/campaigns/reports/7', '/campaigns/reports/8', false],
  ['/campaigns/reports/7', '/recurring/reports/7', false],
  ['/campaigns/reports/7', '/campaigns/archive', false],
  ['/campaigns/archive', '/campaigns/archive', false],
  [null, '/campaigns/reports/7', false],
])('a notification about %s is in view on %s: %s', (path, pathname, expected) => {
  expect(isInView(path, pathname)).toBe(expected)
})
