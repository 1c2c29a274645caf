import type { Fields, Page } from '@emma/core/resource/operations.ts'

/** The wire form of a page (R165). */
export function presentPage(page: Page, limit = page.data.length, offset = 0) {
  return { data: page.data, included: page.included, pagination: { limit, offset, total: page.total } }
}

/** A list that is always whole. */
export function presentAll(data: Fields[]) {
  return presentPage({ data, included: [], total: data.length })
}
