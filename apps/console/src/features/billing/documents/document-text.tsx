import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CleanHtml } from '../../../shell/guidance/clean-html.tsx'
import { type InLanguages, inLanguage } from '../../../shell/guidance/in-language.ts'
import { asLang } from '../../../shell/i18n/i18n.ts'

interface DocumentTextProps {
  document: InLanguages<'title'> & InLanguages<'html'>
  /** The user's language by default. */
  lang?: string
}

/** Title and text of a document in one language. */
export function DocumentText({ document, lang }: DocumentTextProps): ReactNode {
  const { i18n } = useTranslation()
  const shown = asLang(lang ?? i18n.resolvedLanguage)
  return (
    <article lang={shown} style={{ maxWidth: '76ch' }}>
      <Title order={2} size="h3" mb="sm">
        {inLanguage(document, 'title', shown)}
      </Title>
      <CleanHtml html={inLanguage(document, 'html', shown)} />
    </article>
  )
}
