import type { Widget } from '@emma/contract/resources/dashboard.ts'

/** Shown to users who have not created a dashboard. */
export const standardDashboard: readonly Widget[] = [
  { id: 'overview', type: 'overview', x: 0, y: 0, w: 12, h: 2 },
  { id: 'volume', type: 'volume', x: 0, y: 2, w: 6, h: 5 },
  { id: 'rates', type: 'rates', x: 6, y: 2, w: 6, h: 5 },
  { id: 'campaigns', type: 'campaigns', x: 0, y: 7, w: 12, h: 4 },
  { id: 'funnel', type: 'funnel', x: 0, y: 11, w: 6, h: 4 },
  { id: 'subscribers', type: 'subscribers', x: 6, y: 11, w: 6, h: 4 },
  { id: 'queue', type: 'queue', x: 0, y: 15, w: 6, h: 3 },
  { id: 'domains', type: 'domains', x: 6, y: 15, w: 6, h: 3 },
]
