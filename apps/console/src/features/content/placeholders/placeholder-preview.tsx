import { queryKeys } from '@emma/client/query-keys.ts'
import type { RecordOf } from '@emma/client/emma-client.ts'
import { renderUnsaved } from '@emma/contract/actions/content.ts'
import type { placeholder } from '@emma/contract/resources/placeholder.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { MailPreview } from '@emma/ui/mail-preview/mail-preview.tsx'
import { Alert, Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { api } from '../../../shell/session/api.ts'
import { useClientId } from '../../../shell/session/use-session.ts'
import { useRendering } from '../templates/template-rendering.ts'

type Placeholder = RecordOf<typeof placeholder>

interface PlaceholderPreviewProps {
  type: Placeholder['type']
  lang: 'en' | 'de' | 'es'
  /** Text in this language, possibly unsaved. */
  body: string
  /** Saved token and number of items, of a feed. */
  feed: { token: string; max: number }
}

/** A placeholder as a mail shows it, with sample data and the placeholders in it. */
export function PlaceholderPreview({ type, lang, body, feed }: PlaceholderPreviewProps): ReactNode {
  const { t } = useTranslation()
  const client = useClientId()
  const content = { ...contentOf(type, body, feed), lang }
  const { mail, error, faults } = useRendering(content, {
    queryKey: queryKeys.action(renderUnsaved, { placeholder: client }),
    isMjml: type === 'mjml',
    render: (draft, signal) =>
      api.call(renderUnsaved, {
        params: { client_id: client, id: 0, member_id: 0 },
        body: { ...draft, subject: t('content.placeholder.preview') },
        signal,
      }),
  })
  if (error)
    return (
      <Alert color="red" title={t('content.message.broken')}>
        {faults.length === 0 ? errorText(error) : faults.map(fault => fault.message).join(' ')}
      </Alert>
    )
  if (!mail) return <BlockSkeleton height={180} />
  if (mail.html !== '') return <MailPreview html={mail.html} text={mail.text} height={220} allowsRemote />
  return (
    <Paper withBorder p="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {mail.text}
    </Paper>
  )
}

/** A message that consists of the text alone. */
function contentOf(type: Placeholder['type'], body: string, { token, max }: PlaceholderPreviewProps['feed']) {
  const none = { body_long: null, body_mjml: null, body_text: null }
  switch (type) {
    case 'mjml':
      return { ...none, body_mjml: `<mjml><mj-body>${body}</mj-body></mjml>` }
    case 'html':
    case 'code':
      return { ...none, body_long: body }
    case 'image':
      return { ...none, body_long: `<img src="${body.trim().replaceAll('"', '&quot;')}" alt="">` }
    case 'feed':
      return {
        ...none,
        body_long:
          body.trim() === ''
            ? `{{ module.${token} }}`
            : `{% for item in data.${token} limit: ${max} %}${body}{% endfor %}`,
      }
    case 'datasource_column':
      return { ...none, body_text: `{{ member.${body.trim().replace(/^member\./, '')} }}` }
    default:
      return { ...none, body_text: body }
  }
}
