import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { shippedProcessMail } from '@emma/contract/actions/process-mails.ts'
import { pmt, processMailContent } from '@emma/contract/resources/pmt.ts'
import { FormSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { api } from '../../../shell/session/api.ts'
import { useClientId } from '../../../shell/session/use-session.ts'
import { type Place, ProcessMailForm } from './process-mail-form.tsx'
import { useOwnDefaults } from './use-own-defaults.ts'

/** Form of a process mail; a new one begins with the shipped text, or with a copy of another (`?from=`). */
export default function ProcessMailEdit(): ReactNode {
  return (
    <RecordPage resource={pmt}>
      {record => (record ? <ProcessMailForm record={record} start={record} /> : <NewProcessMail />)}
    </RecordPage>
  )
}

function NewProcessMail(): ReactNode {
  const { place, from } = useStart()
  const own = useOwnDefaults()
  const { data, error, refetch } = useStartContent(place, from)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (own.error) return <ErrorState error={own.error} onRetry={() => void own.refetch()} />
  if (!data || !own.data) return <FormSkeleton />
  return (
    <ProcessMailForm key={`${place.process} ${place.lang}`} record={null} start={{ ...data, ...place }} />
  )
}

/** Process, language and source of a new process mail, from the URL. */
function useStart(): { place: Place; from: number | null } {
  const { i18n } = useTranslation()
  const { process, lang, from }: { process?: unknown; lang?: unknown; from?: unknown } = useSearch({
    strict: false,
  })
  const language = processMailContent.lang.safeParse(lang ?? i18n.language.slice(0, 2))
  return {
    place: {
      process: processMailContent.process.safeParse(process).data ?? 'doi_request',
      lang: language.data ?? 'en',
    },
    from: typeof from === 'number' ? from : null,
  }
}

type Start = Pick<RecordOf<typeof pmt>, 'name' | 'subject' | 'body_long' | 'body_text'> & {
  domain_id?: number | null
}

function useStartContent({ process, lang }: Place, from: number | null) {
  const client = useClientId()
  return useQuery({
    queryKey: queryKeys.action(shippedProcessMail, { process, lang, from }),
    queryFn: ({ signal }): Promise<Start> =>
      from === null
        ? api.call(shippedProcessMail, { params: { client_id: client }, query: { process, lang }, signal })
        : api.find(pmt, from, {}, { signal }),
  })
}
