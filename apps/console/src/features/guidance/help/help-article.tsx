import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CleanHtml } from '../../../shell/guidance/clean-html.tsx'
import { decodeTitle } from '../../../shell/guidance/decode-title.ts'
import { findPost } from '../../../shell/guidance/help-posts.ts'
import { asLang } from '../../../shell/i18n/i18n.ts'
import { NotFoundScreen } from '../../../shell/states/not-found-screen.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { useRecordId } from '../../../shell/layout/record-page.tsx'

/** Screen of one help article. */
export default function HelpArticle(): ReactNode {
  const { t, i18n } = useTranslation()
  const id = useRecordId()
  const lang = asLang(i18n.resolvedLanguage)
  const { data, error, refetch } = useQuery({
    queryKey: ['help', 'post', lang, id],
    queryFn: ({ signal }) => findPost(id ?? 0, lang, signal),
    enabled: typeof id === 'number',
    retry: false,
  })
  if (typeof id !== 'number' || data === null) return <NotFoundScreen />
  return (
    <Page back="/help" title={data ? decodeTitle(data.title.rendered) : t('screens.help')}>
      {data && (
        <article>
          <CleanHtml html={data.content.rendered} />
        </article>
      )}
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={280} maw={640} />}
    </Page>
  )
}
