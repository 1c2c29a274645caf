import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { pmt } from '@emma/contract/resources/pmt.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../shell/session/api.ts'

type ProcessMail = RecordOf<typeof pmt>

/** The client's own defaults of all processes and languages: a query. */
export function useOwnDefaults() {
  return useQuery({
    queryKey: [...queryKeys.lists(pmt), 'defaults'],
    queryFn: ({ signal }) => api.listAll(pmt, { filters: { is_default: true } }, { signal }),
  })
}

/** The default of a process and language. */
export function defaultOf<Mail extends Pick<ProcessMail, 'process' | 'lang'>>(
  defaults: readonly Mail[] | undefined,
  { process, lang }: Pick<ProcessMail, 'process' | 'lang'>,
): Mail | undefined {
  return defaults?.find(mail => mail.process === process && mail.lang === lang)
}
