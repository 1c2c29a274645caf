import { queryKeys } from '@emma/client/query-keys.ts'
import { blacklist } from '@emma/contract/resources/blacklist.ts'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { FormSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { Page } from '../../../shell/layout/page.tsx'
import { AddEntriesModal } from './add-entries-modal.tsx'
import { type Blacklist, type BlacklistKind, kinds } from './blacklist-kinds.ts'

interface BlacklistChoiceProps {
  kind: BlacklistKind
  title: string
  /** What follows the choice: a file upload, or pasted entries. */
  then: 'upload' | 'add'
}

/** Lets the user choose the blacklist for a file or for pasted entries. */
export function BlacklistChoice({ kind, title, then }: BlacklistChoiceProps): ReactNode {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<Blacklist | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.lists(blacklist), kind, 'all'],
    queryFn: ({ signal }) => api.listAll(blacklist, { filters: { type: kind } }, { signal }),
  })
  return (
    <Page back={kinds[kind].path} title={title} subtitle={t('audience.blacklist.choose')}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <FormSkeleton fields={3} />}
      {data?.length === 0 && (
        <EmptyState
          title={t('audience.blacklist.empty_title')}
          text={t(kinds[kind].text)}
          action={
            <Button renderRoot={props => <Link to={kinds[kind].path} {...props} />}>
              {t('audience.blacklist.new')}
            </Button>
          }
        />
      )}
      <Stack gap="xs" maw={560}>
        {data?.map(list => (
          <Button
            key={list.blacklist_id}
            variant="default"
            size="md"
            justify="space-between"
            rightSection={
              <Text size="sm" c="dimmed">
                {t('audience.blacklist.entry_count', { count: list.count })}
              </Text>
            }
            {...(then === 'add'
              ? { onClick: () => setChosen(list) }
              : {
                  renderRoot: (props: object) => (
                    <Link
                      to="/subscribers/dataupload/edit/$id"
                      params={{ id: 'new' }}
                      search={{ blacklist: list.blacklist_id }}
                      {...props}
                    />
                  ),
                })}
          >
            {list.name}
          </Button>
        ))}
      </Stack>
      {chosen && <AddEntriesModal list={chosen} onClose={() => setChosen(null)} />}
    </Page>
  )
}
