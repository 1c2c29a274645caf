import { queryKeys } from '@emma/client/query-keys.ts'
import { previewMotd } from '@emma/contract/actions/guidance.ts'
import { Input, Paper, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { CleanHtml } from '../../../shell/guidance/clean-html.tsx'
import { MotdBanner } from '../../../shell/guidance/motd-banner.tsx'
import type { Lang } from '../../../shell/i18n/i18n.ts'
import type { MotdValues } from './motd-fields.tsx'

/** Preview of a message, rendered and sanitized by the server. */
export function MotdPreview({ values, lang }: { values: MotdValues; lang: Lang }): ReactNode {
  const { t } = useTranslation()
  const [body] = useDebouncedValue(values[`body_${lang}`], 300)
  const { data } = useQuery({
    queryKey: queryKeys.action(previewMotd, body),
    queryFn: ({ signal }) => api.call(previewMotd, { body: { body }, signal }),
    placeholderData: before => before,
  })
  const html = data?.html ?? ''
  const title = values[`title_${lang}`]
  if (title.trim() === '' && html === '') return null
  return (
    <Input.Wrapper label={t('messages.motd.preview')} labelElement="div">
      {values.modal_size === null ? (
        <MotdBanner message={shownIn(values, html)} language={lang} isFramed />
      ) : (
        <Paper component="section" aria-label={t('messages.motd.preview')} withBorder p="md" shadow="sm">
          <Title order={3} size="h4" mb="sm">
            {title}
          </Title>
          <CleanHtml html={html} />
        </Paper>
      )}
    </Input.Wrapper>
  )
}

/** Uses the previewed HTML for all languages, since only one is shown. */
function shownIn({ title_en, title_de, title_es, type }: MotdValues, html: string) {
  return { type, title_en, title_de, title_es, html_en: html, html_de: html, html_es: html }
}
