import { queryKeys } from '@emma/client/query-keys.ts'
import { renderUnsaved } from '@emma/contract/actions/content.ts'
import {
  type MessageVersion,
  readMessageVersion,
  type VersionContent,
} from '@emma/contract/actions/message-versions.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { MailPreview } from '@emma/ui/mail-preview/mail-preview.tsx'
import { Group, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../shell/i18n/error-text.ts'
import { retryBusy } from '../../../../shell/resource/retry-busy.ts'
import { api } from '../../../../shell/session/api.ts'
import { useClientId } from '../../../../shell/session/use-session.ts'
import { ContentDifferences } from './content-differences.tsx'
import { useVersionName } from './use-version-name.ts'
import classes from './versions.module.css'

interface VersionComparisonProps {
  messageId: number
  version: MessageVersion
  /** The version before; null for the first one. */
  before: MessageVersion | null
  /** The current version; null if it is the selected one. */
  current: MessageVersion | null
  tools: ReactNode
}

/** A version beside the current one or the one before, as text or rendered. */
export function VersionComparison(props: VersionComparisonProps): ReactNode {
  const { messageId, version, before, current, tools } = props
  const { t } = useTranslation()
  const [view, setView] = useState('text')
  const [side, setSide] = useState('current')
  const isWithCurrent = current !== null && (side === 'current' || before === null)
  const [left, right] = isWithCurrent ? [version, current] : [before ?? version, version]
  return (
    <>
      <Group gap="xs">
        <SegmentedControl
          size="xs"
          aria-label={t('content.versions.compare')}
          disabled={current === null || before === null}
          value={isWithCurrent ? 'current' : 'before'}
          onChange={setSide}
          data={[
            { value: 'current', label: t('content.versions.with_current') },
            { value: 'before', label: t('content.versions.with_before') },
          ]}
        />
        <SegmentedControl
          size="xs"
          aria-label={t('content.versions.view')}
          value={view}
          onChange={setView}
          data={[
            { value: 'text', label: t('content.versions.as_text') },
            { value: 'rendered', label: t('content.versions.rendered') },
          ]}
        />
        {tools}
      </Group>
      <Sides key={view} messageId={messageId} left={left} right={right} isRendered={view === 'rendered'} />
    </>
  )
}

interface SidesProps {
  messageId: number
  left: MessageVersion
  right: MessageVersion
  isRendered: boolean
}

function Sides({ messageId, left, right, isRendered }: SidesProps): ReactNode {
  const nameOf = useVersionName()
  const leftContent = useContent(messageId, left)
  const rightContent = useContent(messageId, right)
  const error = leftContent.error ?? rightContent.error
  if (error) return <ErrorState error={error} />
  if (!leftContent.data || !rightContent.data) return <BlockSkeleton height={360} />
  const contents = { before: leftContent.data.content, after: rightContent.data.content }
  const labels = { before: nameOf(left), after: nameOf(right) }
  if (!isRendered)
    return <ContentDifferences key={`${left.version_id} ${right.version_id}`} {...contents} labels={labels} />
  return (
    <div className={classes.mails}>
      {(['before', 'after'] as const).map(one => (
        <section key={one} aria-label={labels[one]}>
          <Text size="sm" fw={600} mb={4}>
            {labels[one]}
          </Text>
          <RenderedVersion content={contents[one]} />
        </section>
      ))}
    </div>
  )
}

function RenderedVersion({ content }: { content: VersionContent }): ReactNode {
  const client_id = useClientId()
  const { subject, preheader, body_mjml, body_long, body_text, lang } = content
  const body = { subject, preheader, body_mjml, body_long, body_text, lang }
  const { data, error } = useQuery({
    queryKey: queryKeys.action(renderUnsaved, { version: body }),
    queryFn: ({ signal }) =>
      api.call(renderUnsaved, { params: { client_id, id: 0, member_id: 0 }, body, signal }),
    ...retryBusy,
  })
  if (error)
    return (
      <Text role="alert" size="sm" c="red">
        {errorText(error)}
      </Text>
    )
  if (!data) return <BlockSkeleton height={420} />
  return (
    <MailPreview
      html={data.html === '' ? null : data.html}
      text={data.text}
      subject={data.subject}
      {...(preheader ? { preheader } : {})}
      height="min(56vh, 560px)"
      allowsRemote
    />
  )
}

function useContent(messageId: number, { version_id, revision }: MessageVersion) {
  const client_id = useClientId()
  return useQuery({
    queryKey: queryKeys.action(readMessageVersion, { messageId, version_id, revision }),
    queryFn: ({ signal }) =>
      api.call(readMessageVersion, {
        params: { client_id, id: messageId, version_id },
        signal,
        ignoreCache: true,
      }),
  })
}
