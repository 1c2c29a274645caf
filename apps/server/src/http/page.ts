import type { Page } from '@emma/core/resource/operations.ts'

/** Wire format of a page (R165). */
export function presentPage<Record>(page: Page<Record>, limit = page.data.length, offset = 0) {
  return { data: page.data, included: page.included, pagination: { limit, offset, total: page.total } }
}

/** Wire format of a list without paging. */
export function presentAll<Record>(data: Record[]) {
  return presentPage({ data, included: [], total: data.length })
}
