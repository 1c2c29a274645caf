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

/** Filter for the recipients counted by a figure of a report. */
export type Who = Omit<
  NonNullable<ActionInput<typeof listRecipients>['query']>,
  'limit' | 'offset' | 'search'
>

/** Title and filter of the recipients drawer. */
export interface People {
  title: string
  who: Who
}

const people = z.object({ title: z.string().max(200), who: downloadReport.query })

/** Parses the search parameter; null if it is invalid. */
export function readPeople(value: unknown): People | null {
  const read = people.safeParse(value)
  return read.success ? read.data : null
}

/** Converts a list query to parameters of the report list, which is an action and not a resource. */
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

/** Hard, soft and other bounces. */
export function bouncesOf(
  report: Pick<ReportRow, 'nb_hardbounce' | 'nb_softbounce' | 'nb_otherbounce'>,
): number {
  return report.nb_hardbounce + report.nb_softbounce + report.nb_otherbounce
}
