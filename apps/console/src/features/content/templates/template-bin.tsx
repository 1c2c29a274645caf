import { queryKeys } from '@emma/client/query-keys.ts'
import { listDeletedMessages } from '@emma/contract/actions/content.ts'
import { restorableMinutesOf } from '@emma/contract/define-resource.ts'
import { message } from '@emma/contract/resources/message.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button, Table, Text } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../shell/i18n/error-text.ts'
import { restoreRecord } from '../../../shell/resource/record-calls.ts'
import { api } from '../../../shell/session/api.ts'

const pageSize = 100

const binDays = restorableMinutesOf(message) / (24 * 60)

/** Deleted templates, the last deleted first. */
export function TemplateBin(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const bin = useInfiniteQuery({
    queryKey: [...queryKeys.lists(message), 'bin'],
    queryFn: ({ pageParam, signal }) =>
      api.call(listDeletedMessages, {
        query: { limit: pageSize, offset: pageParam },
        ignoreCache: true,
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      pages.length * pageSize < last.total ? pages.length * pageSize : null,
  })
  const restore = useMutation({
    mutationFn: ({ message_id }: { message_id: number; name: string }) => restoreRecord(message, message_id),
    onSuccess: (_, { name }) => notify.success(t('content.message.restored', { name })),
    onError: showError,
  })
  if (bin.error) return <ErrorState error={bin.error} onRetry={() => void bin.refetch()} />
  if (!bin.data) return <BlockSkeleton height={240} />
  const rows = bin.data.pages.flatMap(page => page.data)
  if (rows.length === 0)
    return (
      <EmptyState
        title={t('content.message.bin_empty')}
        text={t('content.message.bin_text', { days: binDays })}
      />
    )
  return (
    <>
      <Text c="dimmed" size="sm" mb="sm">
        {t('content.message.bin_text', { days: binDays })}
      </Text>
      <Table.ScrollContainer minWidth={560}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('content.message.fields.name')}</Table.Th>
              <Table.Th>{t('content.message.fields.subject')}</Table.Th>
              <Table.Th>{t('content.message.deleted_at')}</Table.Th>
              <Table.Th />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(row => (
              <Table.Tr key={row.message_id}>
                <Table.Td>{row.name}</Table.Td>
                <Table.Td>{row.subject}</Table.Td>
                <Table.Td>{format.dateTime(row.deleted_at)}</Table.Td>
                <Table.Td ta="right">
                  <Button
                    size="compact-sm"
                    variant="default"
                    leftSection={<IconArrowBackUp size={14} />}
                    aria-label={t('content.message.restore_named', { name: row.name })}
                    loading={restore.isPending && restore.variables.message_id === row.message_id}
                    onClick={() => restore.mutate(row)}
                  >
                    {t('content.message.restore')}
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {bin.hasNextPage && (
        <Button
          variant="default"
          mt="md"
          loading={bin.isFetchingNextPage}
          onClick={() => void bin.fetchNextPage()}
        >
          {t('content.message.show_more')}
        </Button>
      )}
    </>
  )
}
