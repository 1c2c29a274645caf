import { queryKeys } from '@emma/client/query-keys.ts'
import { listApiTokens, revokeApiToken } from '@emma/contract/actions/api-tokens.ts'
import { confirm } from '@emma/ui/feedback/confirm.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { DetailsDrawer } from '@emma/ui/layout/details-drawer.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button, Code, Skeleton, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { showError } from '../../../shell/i18n/error-text.ts'
import { queryClient } from '../../../shell/resource/query-client.ts'
import { NewToken } from './new-token.tsx'
import { SettingsSection } from '../settings-section.tsx'

/** Section of a user's API tokens. Only the user creates them; administrators may revoke them, too. */
export function ApiTokens({ userId, isOwn = false }: { userId: number; isOwn?: boolean }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const [isMaking, setMaking] = useState(false)
  const key = queryKeys.action(listApiTokens, { params: { id: userId } })
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => api.call(listApiTokens, { params: { id: userId }, ignoreCache: true }),
  })
  const settled = () => queryClient.invalidateQueries({ queryKey: key })
  const revoke = useMutation({
    mutationFn: (id: number) => api.call(revokeApiToken, { params: { id: userId, token_id: id } }),
    onSuccess: () => notify.success(t('platform.tokens.revoked')),
    onError: showError,
    onSettled: settled,
  })
  const ask = async (id: number, name: string) => {
    const isSure = await confirm({
      title: t('platform.tokens.revoke_title', { name }),
      text: t('platform.tokens.revoke_text'),
      confirmLabel: t('platform.tokens.revoke'),
      danger: true,
    })
    if (isSure) revoke.mutate(id)
  }
  const rows = data?.data ?? []
  return (
    <SettingsSection
      title={t('platform.tokens.title')}
      text={t('platform.tokens.text')}
      aside={
        isOwn && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
            {t('platform.tokens.new')}
          </Button>
        )
      }
    >
      {!data && !error && <Skeleton height={60} />}
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('platform.tokens.none')}
        </Text>
      )}
      {rows.length > 0 && (
        <SmallTable
          label={t('platform.tokens.title')}
          rows={rows}
          rowKey={row => row.id}
          minWidth={620}
          columns={[
            {
              id: 'name',
              header: t('platform.tokens.name'),
              cell: row => (
                <>
                  {row.name} <Code>{row.prefix}…</Code>
                </>
              ),
            },
            {
              id: 'rights',
              header: t('platform.tokens.rights'),
              cell: row => t('platform.tokens.rights_count', { count: row.permissions.length }),
            },
            {
              id: 'used',
              header: t('platform.tokens.last_used'),
              cell: row =>
                row.last_used_at ? format.dateTime(row.last_used_at) : t('platform.tokens.never_used'),
            },
            { id: 'ends', header: t('platform.tokens.expires'), cell: row => format.date(row.expires_at) },
            {
              id: 'revoke',
              header: t('platform.tokens.state'),
              align: 'end',
              cell: row => (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('platform.tokens.revoke_one', { name: row.name })}
                  onClick={() => void ask(row.id, row.name)}
                >
                  {t('platform.tokens.revoke')}
                </Button>
              ),
            },
          ]}
        />
      )}
      <DetailsDrawer
        title={t('platform.tokens.new')}
        isOpen={isMaking}
        onClose={() => setMaking(false)}
        size="xl"
      >
        {isMaking && (
          <NewToken userId={userId} onMade={() => void settled()} onClose={() => setMaking(false)} />
        )}
      </DetailsDrawer>
    </SettingsSection>
  )
}
