import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { renderMessage } from '@emma/contract/actions/content.ts'
import { message } from '@emma/contract/resources/message.ts'
import { EmptyState, ErrorState, ForbiddenState, isForbidden } from '@emma/ui/feedback/states.tsx'
import { RowMenu } from '@emma/ui/list/row-menu.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { ActionIcon, Button, Skeleton, TextInput } from '@mantine/core'
import { useDebouncedValue, useInViewport } from '@mantine/hooks'
import { IconDots, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { retryBusy } from '../../../shell/resource/retry-busy.ts'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'
import classes from '../content.module.css'
import { MailThumbnail } from './mail-thumbnail.tsx'
import { sourceOf } from './template-table.tsx'
import { useCopyTemplate } from './use-copy-template.tsx'

type Message = RecordOf<typeof message>

const pageSize = 24

/** Templates as thumbnails, most recent first. */
export function TemplateGallery({ create }: { create: ReactNode }): ReactNode {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search.trim(), 250)
  const copyAction = useCopyTemplate()
  const removal = useRemoveActions(message, row => row.name)
  const [menu, setMenu] = useState<{ row: Message; anchor: HTMLElement } | null>(null)
  const templates = useInfiniteQuery({
    queryKey: [...queryKeys.lists(message), 'gallery', asked],
    queryFn: ({ pageParam, signal }) =>
      api.list(
        message,
        {
          limit: pageSize,
          offset: pageParam,
          search: asked,
          sort: { field: 'updated_at', descending: true },
        },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.length * pageSize
      return shown < last.pagination.total ? shown : null
    },
    placeholderData: keepPreviousData,
  })
  const { error } = templates
  if (error && isForbidden(error)) return <ForbiddenState permissions={['EmmaMessage:get']} />
  if (error) return <ErrorState error={error} onRetry={() => void templates.refetch()} />
  const rows = templates.data?.pages.flatMap(page => page.data) ?? []
  return (
    <>
      <TextInput
        className={classes.search}
        aria-label={t('content.message.search')}
        placeholder={t('content.message.search')}
        leftSection={<IconSearch size={16} />}
        value={search}
        onChange={event => setSearch(event.currentTarget.value)}
      />
      {templates.isPending && <Waiting />}
      {templates.data && rows.length === 0 && (
        <EmptyState
          title={t(asked === '' ? 'content.message.empty_title' : 'content.message.nothing_found')}
          text={asked === '' ? t('content.message.empty_text') : undefined}
          action={asked === '' ? create : undefined}
        />
      )}
      <ul className={classes.gallery}>
        {rows.map(row => (
          <li key={row.message_id} className={classes.card}>
            <TemplateThumbnail template={row} />
            <TemplateCaption template={row} />
            <ActionIcon
              className={classes.cardMenu}
              variant="subtle"
              color="gray"
              aria-label={t('content.message.actions', { name: row.name })}
              onClick={event => setMenu({ row, anchor: event.currentTarget })}
            >
              <IconDots size={16} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {templates.hasNextPage && (
        <Button
          variant="default"
          mt="md"
          loading={templates.isFetchingNextPage}
          onClick={() => void templates.fetchNextPage()}
        >
          {t('content.message.show_more')}
        </Button>
      )}
      {menu && (
        <RowMenu
          anchor={menu.anchor}
          actions={[...copyAction(menu.row), ...removal.forRow(menu.row)]}
          onClose={() => setMenu(null)}
        />
      )}
    </>
  )
}

function TemplateCaption({ template }: { template: Message }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <span className={classes.cardText}>
      <Link
        className={classes.cardName}
        to="/templates/edit/$id"
        params={{ id: String(template.message_id) }}
      >
        {template.name}
      </Link>
      <span className={classes.cardNote} title={template.subject}>
        {template.subject}
      </span>
      <span className={classes.cardMeta}>
        {t(`content.message.sources.${sourceOf(template)}`)} · {format.relative(template.updated_at)}
      </span>
    </span>
  )
}

/** Rendered when it scrolls into view, and cached until the template changes. */
function TemplateThumbnail({ template }: { template: Message }): ReactNode {
  const { ref, inViewport } = useInViewport<HTMLDivElement>()
  const [wasSeen, setSeen] = useState(false)
  if (inViewport && !wasSeen) setSeen(true)
  const { data } = useQuery({
    queryKey: queryKeys.action(renderMessage, { id: template.message_id, revision: template.revision }),
    queryFn: ({ signal }) =>
      api.call(renderMessage, { params: { id: template.message_id, member_id: 0 }, signal }),
    enabled: wasSeen && sourceOf(template) !== 'text',
    staleTime: Infinity,
    ...retryBusy,
  })
  return (
    <div ref={ref}>
      <MailThumbnail html={data?.html ? data.html : null} />
    </div>
  )
}

function Waiting(): ReactNode {
  return (
    <div className={classes.gallery} aria-busy>
      {[1, 2, 3, 4].map(place => (
        <Skeleton key={place} height={300} radius="lg" />
      ))}
    </div>
  )
}
