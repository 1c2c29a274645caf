import type { ListQuery } from '@emma/client/list-query.ts'
import type { ActionInput } from '@emma/client/emma-client.ts'
import {
  downloadReport,
  type findReport,
  type listRecipients,
  type listReports,
} from '@emma/contract/actions/reports.ts'
import { z } from 'zod'

export type Report = z.infer<typeof findReport.response>
export type ReportRow = z.infer<typeof listReports.response>['data'][number]
export type Recipient = z.infer<typeof listRecipients.response>['data'][number]

/** Which people of a report: those behind one of its figures. */
export type Who = Omit<
  NonNullable<ActionInput<typeof listRecipients>['query']>,
  'limit' | 'offset' | 'search'
>

/** The people behind one figure. */
export interface People {
  title: string
  who: Who
}

const people = z.object({ title: z.string().max(200), who: downloadReport.query })

/** People as the address has them; null for what makes no sense there. */
export function readPeople(value: unknown): People | null {
  const read = people.safeParse(value)
  return read.success ? read.data : null
}

/** A list's question in the words of the report list, which is an action and no resource. */
export function reportQuery({
  filters = {},
  limit,
  offset,
  search,
  sort,
}: ListQuery): Record<string, unknown> {
  return {
    ...Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, value])),
    limit: limit ?? undefined,
    offset,
    search,
    ...(sort ? { orderby: sort.field, desc: sort.descending === true } : {}),
  }
}

/** A share, null where there is nothing to share: that is shown as a dash, for "0 %" would be a figure. */
export function shareOf(count: number, all: number): number | null {
  return all > 0 ? count / all : null
}

/** Mails that came back, for good or for now. */
export function bouncesOf(
  report: Pick<ReportRow, 'nb_hardbounce' | 'nb_softbounce' | 'nb_otherbounce'>,
): number {
  return report.nb_hardbounce + report.nb_softbounce + report.nb_otherbounce
}
