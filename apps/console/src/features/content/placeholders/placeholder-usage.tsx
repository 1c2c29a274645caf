import { queryKeys } from '@emma/client/query-keys.ts'
import type { RecordOf } from '@emma/client/emma-client.ts'
import { message } from '@emma/contract/resources/message.ts'
import { placeholder } from '@emma/contract/resources/placeholder.ts'
import { pmt } from '@emma/contract/resources/pmt.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { Anchor, List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import { usesModule } from './uses-module.ts'

/** Most templates that are listed. */
const SHOWN = 50

/** Templates, process mails and placeholders whose texts contain a placeholder. */
export function PlaceholderUsage({ record }: { record: RecordOf<typeof placeholder> }): ReactNode {
  const { t } = useTranslation()
  const { data, error, refetch } = useUsage(record)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <BlockSkeleton height={60} />
  if (data.length === 0) return <Text c="dimmed">{t('content.placeholder.usage.none')}</Text>
  return (
    <List spacing={4} listStyleType="none" withPadding={false}>
      {data.map(({ path, name, kind }) => (
        <List.Item key={path}>
          <Anchor component={Link} to={path}>
            {name}
          </Anchor>{' '}
          <Text component="span" c="dimmed" size="sm">
            {t(`content.placeholder.usage.${kind}`)}
          </Text>
        </List.Item>
      ))}
    </List>
  )
}

interface Use {
  path: string
  name: string
  kind: 'template' | 'process_mail' | 'placeholder'
}

function useUsage({ module_id, token, type, client_id }: RecordOf<typeof placeholder>) {
  const mayReadTemplates = usePermission({ all: ['EmmaMessage:get'] })
  const mayReadProcessMails = usePermission({ all: ['EmmaPmt:get'] })
  return useQuery({
    queryKey: [...queryKeys.record(placeholder, module_id), 'usage', token],
    queryFn: async ({ signal }): Promise<Use[]> => {
      const read = async (text: string) =>
        mayReadTemplates
          ? (await api.list(message, { filters: { text }, limit: SHOWN }, { signal })).data
          : []
      const [inserting, reading, mails, modules] = await Promise.all([
        read(`module.${token}`),
        type === 'feed' || type === 'data' ? read(`data.${token}`) : [],
        mayReadProcessMails ? api.listAll(pmt, {}, { signal }) : [],
        api.listAll(placeholder, {}, { signal }),
      ])
      const templates = [...new Map([...inserting, ...reading].map(one => [one.message_id, one])).values()]
      const uses = (...texts: readonly (string | null | undefined)[]) =>
        texts.some(text => usesModule(text ?? '', token))
      return [
        ...templates
          .filter(one => uses(one.subject, one.preheader, one.body_long, one.body_mjml, one.body_text))
          .map(one => use('template', `/templates/edit/${one.message_id}`, one.name)),
        ...mails
          .filter(one => uses(one.subject, one.body_long, one.body_text))
          .map(one => use('process_mail', `/settings/pmtemplates/edit/${one.pmt_id}`, one.name)),
        ...modules
          .filter(one => one.client_id === client_id && one.module_id !== module_id)
          .filter(one => uses(...Object.values(one.body)))
          .map(one => use('placeholder', `/templates/placeholders/edit/${one.module_id}`, one.name)),
      ]
    },
  })
}

function use(kind: Use['kind'], path: string, name: string): Use {
  return { kind, path, name }
}
