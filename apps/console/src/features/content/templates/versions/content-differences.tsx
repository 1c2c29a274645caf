import type { VersionContent } from '@emma/contract/actions/message-versions.ts'
import { DiffEditor } from '@emma/ui/code/code-editor.tsx'
import { changedFields } from '@emma/ui/form/merge-versions.ts'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface ContentDifferencesProps {
  before: VersionContent
  after: VersionContent
  labels: { before: string; after: string }
}

const shortFields = [
  'name',
  'lang',
  'charset',
  'category',
  'collection',
  'subject',
  'preheader',
  'is_tracked',
] as const
const languages = { body_mjml: 'mjml', body_long: 'html', body_text: 'text' } as const
const bodies = ['body_mjml', 'body_long', 'body_text'] as const

/** Short fields that differ as a table, sources and link tables as text differences. */
export function ContentDifferences({ before, after, labels }: ContentDifferencesProps): ReactNode {
  const { t } = useTranslation()
  const changed = changedFields(before, after)
  if (Object.keys(changed).length === 0) return <Text c="dimmed">{t('content.versions.same')}</Text>
  const rows = shortFields.filter(field => field in changed)
  return (
    <>
      {rows.length > 0 && (
        <SmallTable
          label={t('content.versions.fields')}
          rows={rows}
          rowKey={field => field}
          columns={[
            {
              id: 'field',
              header: t('content.versions.field'),
              width: 150,
              cell: field => t(`content.message.fields.${field}`),
            },
            { id: 'before', header: labels.before, cell: field => <Value value={before[field]} /> },
            { id: 'after', header: labels.after, cell: field => <Value value={after[field]} /> },
          ]}
        />
      )}
      {bodies
        .filter(field => field in changed)
        .map(field => (
          <Source
            key={field}
            title={t(`content.message.fields.${field}`)}
            before={before[field] ?? ''}
            after={after[field] ?? ''}
            language={languages[field]}
            labels={labels}
          />
        ))}
      {'languages' in changed && (
        <Source
          title={t('content.message.fields.languages')}
          before={languageLines(before.languages)}
          after={languageLines(after.languages)}
          language="text"
          labels={labels}
        />
      )}
      {'attachments' in changed && (
        <Source
          title={t('content.message.fields.attachments')}
          before={attachmentLines(before.attachments)}
          after={attachmentLines(after.attachments)}
          language="text"
          labels={labels}
        />
      )}
      {'urls' in changed && (
        <Source
          title={t('content.message.fields.urls')}
          before={linkLines(before.urls)}
          after={linkLines(after.urls)}
          language="text"
          labels={labels}
        />
      )}
    </>
  )

  function linkLines(urls: VersionContent['urls']): string {
    return urls
      .map(({ name, url, is_active }) =>
        [name, url, ...(is_active ? [] : [t('content.versions.not_counted')])].join('  '),
      )
      .join('\n')
  }
}

function languageLines(languages: VersionContent['languages']): string {
  return languages
    .flatMap(({ lang, subject, preheader, body_mjml, body_long, body_text }) =>
      [lang, subject, preheader, body_mjml ?? body_long, body_text].map(part => part ?? ''),
    )
    .join('\n')
}

function attachmentLines(attachments: VersionContent['attachments']): string {
  return attachments.map(({ name, path }) => `${name}  ${path}`).join('\n')
}

interface SourceProps {
  title: string
  before: string
  after: string
  language: 'mjml' | 'html' | 'text'
  labels: { before: string; after: string }
}

function Source({ title, ...texts }: SourceProps): ReactNode {
  return (
    <section aria-label={title}>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <DiffEditor {...texts} height="auto" />
    </section>
  )
}

function Value({ value }: { value: string | boolean | null }): ReactNode {
  const { t } = useTranslation()
  if (value === null || value === '') return <em>{t('history.nothing')}</em>
  if (typeof value === 'boolean') return t(value ? 'history.yes' : 'history.no')
  return value
}
