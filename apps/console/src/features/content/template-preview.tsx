import { queryKeys } from '@emma/client/query-keys.ts'
import { listMembers } from '@emma/contract/actions/audience.ts'
import { renderUnsaved } from '@emma/contract/actions/content.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { MailPreview } from '@emma/ui/mail-preview/mail-preview.tsx'
import { Select } from '@emma/ui/select/select.tsx'
import type { SelectSource } from '@emma/ui/select/select-source.ts'
import { Alert, List } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/api.ts'
import { errorText } from '../../shell/error-text.ts'
import { useDatasources } from '../../shell/use-datasources.ts'
import { useClientId } from '../../shell/use-session.ts'
import classes from './content.module.css'
import type { TemplateValues } from './template-fields.tsx'

interface TemplatePreviewProps {
  /** 0 while it is new. */
  messageId: number
  values: TemplateValues
}

/** The mail as it would be sent now, also before it is saved, with what is wrong with it. */
export function TemplatePreview({ messageId, values }: TemplatePreviewProps): ReactNode {
  const { t } = useTranslation()
  const client = useClientId()
  const [memberId, setMemberId] = useState<number | null>(null)
  const { subject, preheader, body_long, body_mjml, body_text, lang } = values
  const [draft] = useDebouncedValue({ subject, preheader, body_long, body_mjml, body_text, lang }, 400)
  const table = useDatasources().data?.[0]
  const source = useMemo(
    () => membersOf(client, table?.member_table_id ?? 0),
    [client, table?.member_table_id],
  )
  const { data, error } = useQuery({
    queryKey: queryKeys.action(renderUnsaved, { messageId, memberId, draft }),
    queryFn: ({ signal }) =>
      api.call(renderUnsaved, {
        params: { client_id: client, id: messageId, member_id: memberId ?? 0 },
        query: {},
        body: draft,
        signal,
      }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <div className={classes.stack}>
      {error && (
        <Alert color="red" icon={<IconAlertTriangle size={18} />} title={t('content.message.broken')}>
          <span className={classes.words}>{errorText(error)}</span>
        </Alert>
      )}
      {data ? (
        <MailPreview
          html={data.html === '' ? null : data.html}
          text={data.text}
          subject={data.subject}
          height="min(64vh, 620px)"
          allowsRemote
        />
      ) : (
        !error && <BlockSkeleton height={520} />
      )}
      {table && (
        <Select
          label={t('content.message.preview_as')}
          placeholder={t('content.message.preview_sample')}
          source={source}
          isClearable
          value={memberId}
          onChange={setMemberId}
        />
      )}
      {data && data.warnings.length > 0 && (
        <Alert color="yellow" title={t('content.message.warnings', { count: data.warnings.length })}>
          <List size="sm" spacing={4}>
            {data.warnings.map(warning => (
              <List.Item key={`${warning.code} ${warning.message}`}>{warning.message}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </div>
  )
}

/** Members of a datasource, to look at the mail through their eyes. */
function membersOf(client: number, table: number): SelectSource<number> {
  return {
    key: ['members', table],
    primaryKey: 'member_id',
    async load({ searchterm, skip, limit, filters }, signal) {
      const chosen = filters?.find(({ field }) => field === 'member_id')?.value ?? []
      const page = await api.call(listMembers, {
        params: { client_id: client, member_table_id: table },
        query: { limit, offset: skip, search: searchterm, 'member_id[]': chosen },
        signal,
      })
      return {
        data: page.data.map(member => ({ value: member.member_id, label: member.email })),
        total: page.pagination.total,
      }
    },
  }
}
